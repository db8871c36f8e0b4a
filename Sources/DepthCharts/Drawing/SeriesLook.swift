/// Colour, mark and line of a series.
struct SeriesLook: Hashable {
  let colour: ChartColour, shape: MarkShape, dash: String, lineWidth: Double

  /// A line through these points.
  func line(_ word: String, _ points: [SIMD2<Double>]) -> SVGElement {
    var path = SVGElement("path", class: word, ["d": SVGNumber.path(points), "fill": "none"])
    path.stroke(colour, width: lineWidth)
    if !dash.isEmpty { path.set("stroke-dasharray", dash) }
    return path
  }

  /// An upright line without caps.
  func whisker(x: Double, from top: Double, to bottom: Double) -> SVGElement {
    .line("whisker", [x, top], [x, bottom]).stroked(colour, width: ChartStyle.whiskerWidth)
  }
}
