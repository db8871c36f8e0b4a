internal import CFathomCairo

/// How text is drawn.
public struct TextStyle: Sendable, Hashable {
  /// Height of the font, pixels.
  public var size: Double
  public var isBold: Bool, colour: Colour

  public init(size: Double, isBold: Bool = false, colour: Colour = .black) {
    (self.size, self.isBold, self.colour) = (size, isBold, colour)
  }

  /// From one line to the next, pixels.
  public var lineHeight: Double { (1.35 * size).rounded() }
}

extension Canvas {
  /// The font that texts are drawn in; where it is not installed, fontconfig's substitute.
  public static let fontFamily = "DejaVu Sans"
  /// Which end of a text its point is.
  public enum TextAnchor: Sendable { case leading, centre, trailing }

  /// Draws one line of text.
  /// - Parameter text: A line break in it is drawn as a space.
  /// - Parameter point: On the baseline.
  /// - Parameter anchor: Which end of the text the point is.
  /// - Parameter turned: A quarter turn anticlockwise: the text then reads upwards.
  public func text(
    _ text: String, at point: SIMD2<Double>, _ style: TextStyle, anchor: TextAnchor = .leading,
    turned: Bool = false
  ) {
    let shift =
      switch anchor {
      case .leading: 0.0
      case .centre: -textWidth(text, style) / 2
      case .trailing: -textWidth(text, style)
      }
    cairo_save(context.pointer)
    select(style)
    set(style.colour)
    cairo_translate(context.pointer, point.x, point.y)
    if turned { cairo_rotate(context.pointer, -Double.pi / 2) }
    cairo_move_to(context.pointer, shift, 0)
    cairo_show_text(context.pointer, Self.oneLine(text))
    cairo_restore(context.pointer)
  }

  /// Length of one line of text, pixels.
  public func textWidth(_ text: String, _ style: TextStyle) -> Double {
    select(style)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context.pointer, Self.oneLine(text), &extents)
    return extents.x_advance
  }

  /// Breaks a text at spaces into lines that fit a width; a word that is wider is broken where it must be.
  /// - Returns: At least one line.
  public func lines(of text: String, width: Double, _ style: TextStyle) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(whereSeparator: \.isNewline) {
      var line = ""
      for word in paragraph.split(separator: " ") {
        let longer = line.isEmpty ? String(word) : line + " " + word
        if textWidth(longer, style) <= width {
          line = longer
          continue
        }
        if !line.isEmpty { lines.append(line) }
        line = String(word)
        while textWidth(line, style) > width, line.count > 1 {
          var fitting = line.count - 1
          while fitting > 1, textWidth(String(line.prefix(fitting)), style) > width { fitting -= 1 }
          lines.append(String(line.prefix(fitting)))
          line = String(line.dropFirst(fitting))
        }
      }
      lines.append(line)
    }
    return lines.isEmpty ? [""] : lines
  }

  private func select(_ style: TextStyle) {
    cairo_select_font_face(
      context.pointer, Self.fontFamily, CAIRO_FONT_SLANT_NORMAL,
      style.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    cairo_set_font_size(context.pointer, style.size)
  }

  /// Control characters would be drawn as boxes; a NUL would end the text.
  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }.filter { $0 != "\0" })
  }
}
