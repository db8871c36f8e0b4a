public import DepthCore

/// What the colours of a picture mean.
public enum Legend: Sendable, Equatable {
  /// A colour bar with the ends beyond which values lie, and under it the colour of what has no value.
  case bar(ColourScale, noValue: RGB? = nil, passedEnds: ScaleEnds = [], veil: Veil? = nil)
  /// Colours with names, under a title.
  case entries(title: String, [Entry], veil: Veil? = nil)

  /// A colour and its name.
  public struct Entry: Sendable, Hashable {
    public var name: String
    /// From left to right in its swatch; alike for a plain colour.
    public var first: Colour, last: Colour

    public init(_ name: String, _ first: Colour, _ last: Colour? = nil) {
      (self.name, self.first, self.last) = (name, first, last ?? first)
    }
  }

  /// Width that it takes, pixels.
  func width(_ style: TextStyle, on canvas: borrowing Canvas) -> Double {
    switch self {
    case .bar(let scale, let noValue, _, _):
      var bar = ColourBar(scale)
      bar.style = style
      let width = bar.width(on: canvas)
      guard noValue != nil else { return width }
      return max(width, Self.swatch(style) + canvas.textWidth("no value", style))
    case .entries(let title, let entries, _):
      var widest = canvas.textWidth(title, Self.bold(style))
      for entry in entries { widest = max(widest, Self.swatch(style) + canvas.textWidth(entry.name, style)) }
      return widest.rounded(.up)
    }
  }

  /// Height that it needs; a bar grows beyond it.
  func leastHeight(_ style: TextStyle) -> Double {
    switch self {
    case .bar: 8 * style.lineHeight
    case .entries(_, let entries, _): Double(entries.count + 1) * style.lineHeight
    }
  }

  var isBar: Bool { if case .bar = self { true } else { false } }
  /// Swatch and gap.
  private static func swatch(_ style: TextStyle) -> Double { 1.9 * style.size }
  private static func bold(_ style: TextStyle) -> TextStyle {
    var bold = style
    bold.isBold = true
    return bold
  }

  func draw(on canvas: borrowing Canvas, in place: Rectangle, _ style: TextStyle) {
    switch self {
    case .bar(let scale, let noValue, let passedEnds, let veil):
      var bar = ColourBar(scale)
      (bar.style, bar.passedEnds, bar.veil) = (style, passedEnds, veil)
      let rest = noValue == nil ? 0 : 1.8 * style.lineHeight
      bar.draw(on: canvas, at: [place.x, place.y], height: place.height - rest)
      guard let noValue else { return }
      Self.draw(
        Entry("no value", Colour(noValue)), on: canvas, at: [place.x, place.maxY - style.lineHeight], style,
        veil)
    case .entries(let title, let entries, let veil):
      canvas.text(title, at: [place.x, place.y + style.size], Self.bold(style))
      for (index, entry) in entries.enumerated() {
        Self.draw(
          entry, on: canvas, at: [place.x, place.y + Double(index + 1) * style.lineHeight], style, veil)
      }
    }
  }

  private static func draw(
    _ entry: Entry, on canvas: borrowing Canvas, at corner: SIMD2<Double>, _ style: TextStyle, _ veil: Veil?
  ) {
    let frame = Rectangle(
      x: corner.x, y: corner.y + 0.15 * style.size, width: 1.4 * style.size, height: style.size)
    let steps = entry.first == entry.last ? 1 : 14
    for step in 0..<steps {
      let share = steps > 1 ? Double(step) / Double(steps - 1) : 0
      let (from, to) = (
        frame.x + frame.width * Double(step) / Double(steps),
        frame.x + frame.width * Double(step + 1) / Double(steps)
      )
      let colour = entry.first.mixed(entry.last, share)
      // From what lies over the dark parts of a picture, on top, to what lies over the bright ones.
      let shades = veil?.shades(of: colour) ?? [colour]
      for (row, shade) in shades.enumerated() {
        let (top, bottom) = (
          frame.y + frame.height * Double(row) / Double(shades.count),
          frame.y + frame.height * Double(row + 1) / Double(shades.count)
        )
        canvas.fill(Rectangle(x: from, y: top, width: to - from, height: bottom - top), shade)
      }
    }
    canvas.stroke(frame, Colour(grey: 0.25))
    canvas.text(entry.name, at: [corner.x + swatch(style), corner.y + style.size], style)
  }
}

extension Colour {
  fileprivate func mixed(_ other: Colour, _ share: Double) -> Colour {
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
    return Colour(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
      alpha: mix(alpha, other.alpha))
  }
}
