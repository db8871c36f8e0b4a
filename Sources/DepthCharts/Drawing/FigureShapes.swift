/// Lines, rectangles and texts as figures need them.
extension SVGElement {
  /// Which point of a text its position is.
  enum Anchor: String { case start, middle, end }

  static func line(_ word: String, _ from: SIMD2<Double>, _ to: SIMD2<Double>) -> SVGElement {
    SVGElement(
      "line", class: word,
      [
        "x1": SVGNumber.text(from.x), "y1": SVGNumber.text(from.y), "x2": SVGNumber.text(to.x),
        "y2": SVGNumber.text(to.y),
      ])
  }

  /// A rectangle between two corners.
  static func box(_ word: String? = nil, _ left: Double, _ top: Double, _ right: Double, _ bottom: Double)
    -> SVGElement
  {
    SVGElement(
      "rect", class: word,
      [
        "x": SVGNumber.text(left), "y": SVGNumber.text(top), "width": SVGNumber.text(max(0, right - left)),
        "height": SVGNumber.text(max(0, bottom - top)),
      ])
  }

  /// One line of text.
  /// - Parameter place: Of its anchor; in height the middle of its capitals.
  /// - Parameter degrees: By which it turns about its place, against the clock.
  static func text(
    _ string: String, at place: SIMD2<Double>, _ anchor: Anchor = .start, size: Double = ChartStyle.tickSize,
    isBold: Bool = false, degrees: Int = 0
  ) -> SVGElement {
    // Shifted by the half height of capitals here: not every program knows another base line.
    var text = SVGElement(
      "text", text: string, ["x": SVGNumber.text(place.x), "y": SVGNumber.text(place.y + 0.36 * size)])
    if degrees != 0 {
      text.set("transform", "rotate(\(-degrees) \(SVGNumber.text(place.x)) \(SVGNumber.text(place.y)))")
    }
    if anchor != .start { text.set("text-anchor", anchor.rawValue) }
    if size != ChartStyle.tickSize { text.set("font-size", size) }
    if isBold { text.set("font-weight", "bold") }
    // Otherwise several blanks would be one.
    if string.hasPrefix(" ") || string.hasSuffix(" ") || string.contains("  ") {
      text.set("xml:space", "preserve")
    }
    return text
  }
}
