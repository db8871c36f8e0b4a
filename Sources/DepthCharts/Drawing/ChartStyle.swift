/// The one look of all figures. Lengths in pixels of 1/96 inch.
enum ChartStyle {
  static let width = 720.0
  /// Height of the area between the axes.
  static let plotHeight = 300.0
  static let margin = 14.0

  static let titleSize = 15.0
  static let labelSize = 13.0
  static let tickSize = 12.0
  /// Distance of base lines as a multiple of the size.
  static let leading = 1.35

  static let textColour = "#222222"
  static let tickColour = "#4d4d4d"
  static let axisColour = "#808080"
  static let gridColour = "#e6e6e6"
  static let markColour = "#404040"
  static let missingColour = "#ebebeb"

  /// Colours that the colour-blind tell apart (M. Okabe, K. Ito 2008), but their yellow, which white paper
  /// swallows.
  static let colours = ["#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#000000"]
  /// gnuplot's numbers of filled shapes, each with a size that makes their areas alike: circle, square,
  /// triangle, diamond, inverted triangle, pentagon.
  static let shapes: [(number: Int, size: Double)] = [
    (7, 0.66), (5, 0.55), (9, 0.78), (13, 0.62), (11, 0.78), (15, 0.68),
  ]
  /// Lengths of strokes and gaps; a series takes the next when the colours have been used up.
  static let dashes = ["", "(9,5)", "(3,4)", "(12,4,3,4)"]
  /// Greys and dashes of reference lines. Neighbours differ in their grey too: gnuplot's SVG joins lines that
  /// differ in their dashes only.
  static let references = [("#8c8c8c", "(12,8)"), ("#737373", "(3,6)"), ("#a6a6a6", "(24,8,4,8)")]

  /// How the series at this place among those that are not references looks: colour alone never carries the
  /// meaning.
  static func look(_ index: Int) -> SeriesLook {
    let round = index / colours.count
    return SeriesLook(
      colour: colours[index % colours.count], shape: shapes[(index + round) % shapes.count],
      dash: dashes[round % dashes.count], lineWidth: 1.8)
  }

  /// How the reference line at this place among the references looks.
  static func referenceLook(_ index: Int) -> SeriesLook {
    let (colour, dash) = references[index % references.count]
    return SeriesLook(colour: colour, shape: shapes[0], dash: dash, lineWidth: 1)
  }
}

/// Colour, mark and line of a series.
struct SeriesLook {
  let colour: String
  let shape: (number: Int, size: Double)
  let dash: String
  let lineWidth: Double

  /// gnuplot's words for the line.
  var line: String { "lc rgb '\(colour)' lw \(lineWidth)\(dash.isEmpty ? " dt solid" : " dt \(dash)")" }

  /// gnuplot's words for the marks.
  ///
  /// - Parameter scale: 1 for marks among few.
  func points(scale: Double = 1) -> String {
    "pt \(shape.number) ps \(shape.size * scale) lc rgb '\(colour)'"
  }
}
