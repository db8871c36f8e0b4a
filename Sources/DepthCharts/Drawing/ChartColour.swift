/// A colour of a figure: one of white paper, which a page of another ground may replace, or one that is data.
struct ChartColour: Hashable {
  /// The custom property `--chart-NAME` of a page that replaces it; nil where the colour itself is the value.
  let variable: String?
  let light: String  // On white paper, and wherever nothing replaces it: "#222222".
  private init(_ variable: String?, _ light: String) { (self.variable, self.light) = (variable, light) }
  static let paper = ChartColour("paper", "#ffffff")
  static let text = ChartColour("text", "#222222"), tick = ChartColour("tick", "#4d4d4d")
  static let axis = ChartColour("axis", "#808080"), grid = ChartColour("grid", "#e6e6e6")
  static let mark = ChartColour("mark", "#404040")
  static let missing = ChartColour("missing", "#ebebeb")
  /// A colour that stands for a value, the same on every ground.
  static func fixed(_ colour: String) -> ChartColour { ChartColour(nil, colour) }

  /// Colours that the colour-blind tell apart (M. Okabe, K. Ito 2008), but their yellow, which white paper swallows.
  static let series = ["#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#000000"]
    .enumerated().map { ChartColour("series-\($0 + 1)", $1) }

  /// Greys of reference lines.
  static let references = ["#8c8c8c", "#737373", "#a6a6a6"].enumerated().map {
    ChartColour("reference-\($0 + 1)", $1)
  }
}
