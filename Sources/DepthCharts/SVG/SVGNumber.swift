/// Numbers in SVG documents.
enum SVGNumber {
  /// Hundredths of a pixel, without zeros that say nothing: "12.5".
  /// - Precondition: finite, and no farther than a million pixels away.
  static func text(_ number: Double) -> String {
    precondition(abs(number) <= 1e6, "a place in the figure")
    let hundredths = Int((number * 100).rounded())
    let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    return rest.isMultiple(of: 10)
      ? "\(sign)\(whole).\(rest / 10)" : "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// "12.5,30".
  static func pair(_ point: SIMD2<Double>) -> String { "\(text(point.x)),\(text(point.y))" }

  /// Straight lines from point to point, for `d` of a path.
  static func path(_ points: [SIMD2<Double>], isClosed: Bool = false) -> String {
    guard let first = points.first else { return "" }
    let rest = points.dropFirst().map(pair).joined(separator: " ")
    return "M\(pair(first))" + (rest.isEmpty ? "" : "L\(rest)") + (isClosed ? "z" : "")
  }
}
