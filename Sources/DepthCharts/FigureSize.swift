/// The room that a figure is drawn for. Letters have the same size in each, so a figure is laid out anew for it, not shrunk.
public enum FigureSize: Sendable, CaseIterable {
  /// A page on a desk or on paper.
  case wide
  /// A phone held upright.
  case narrow
  /// Of the whole figure, in pixels of 1/96 inch.
  public var width: Double { self == .wide ? 720 : 360 }
  var plotHeight: Double { self == .wide ? 300 : 240 }  // Height of the area between the axes, in pixels.
  var margin: Double { self == .wide ? 14 : 4 }  // Around everything, in pixels.
  /// Room for the name of a column, which may stand on its side, in pixels.
  var longestColumnName: Double { self == .wide ? 190 : 165 }
  var longestRowName: Double { self == .wide ? 190 : 100 }  // Room for the name of a row, in pixels.
  var longestFlag: Double { self == .wide ? 220 : 120 }  // Room for the name of a vertical mark, in pixels.
  /// Whether the colours of a heat map are explained below it, because its cells need the width.
  var hasColoursBelow: Bool { self == .narrow }
  /// What the ids of a drawing begin with: both drawings of a figure may stand in one page.
  var prefix: String { self == .wide ? "figure" : "narrow" }
}
