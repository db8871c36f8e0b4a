/// A vertical dashed line with its name: a specified threshold, the value in force.
public struct ChartMark: Sendable, Equatable {
  /// In the unit of the x axis.
  public let x: Double
  public let label: String

  /// - Precondition: `x` is finite.
  public init(x: Double, label: String) {
    precondition(x.isFinite, "a mark has a place")
    (self.x, self.label) = (x, label)
  }
}

/// A share at places along the x axis, drawn as a strip of shades below the axis.
public struct ChartShade: Sendable, Equatable {
  /// As the legend shows it.
  public let name: String
  /// Ascending, in the unit of the x axis.
  public let x: [Double]
  /// From 0 to 1, one per x; nil for a gap.
  public let shares: [Double?]

  /// - Precondition: as many shares as places, from 0 to 1.
  public init(_ name: String, x: [Double], shares: [Double?]) {
    precondition(x.count == shares.count, "one share per x")
    precondition(shares.allSatisfy { $0.map((0...1).contains) ?? true }, "shares are from 0 to 1")
    (self.name, self.x, self.shares) = (name, x, shares)
  }
}

/// Series over a common pair of axes.
public struct Chart: Sendable, Equatable {
  /// Stem of the figure's files, unique within a report.
  public let name: String
  /// One line above the figure.
  public let title: String
  /// What the figure shows, for those who cannot see it.
  public let alt: String
  /// What to look for, without numbers, for those who see it; nil where the alternative text says that, too.
  public let caption: String?
  public let x: ChartAxis, y: ChartAxis, series: [ChartSeries]
  /// One without a place on the x axis is omitted, and the figure says so.
  public let marks: [ChartMark]
  /// Names of x = 0, 1, 2…; `x` is then read as a place in this list, and `points` of several series stand side by side.
  public let categories: [String]?
  public let shade: ChartShade?

  /// Values of the series that are not references.
  public var valueCount: Int {
    series.filter { !$0.isReference }.reduce(0) { $0 + $1.y.count { $0?.isFinite ?? false } }
  }

  /// - Precondition: with `categories`, the x axis is linear.
  public init(
    _ name: String, title: String, alt: String, x: ChartAxis, y: ChartAxis, series: [ChartSeries],
    marks: [ChartMark] = [], categories: [String]? = nil, caption: String? = nil, shade: ChartShade? = nil
  ) {
    precondition(categories == nil || !x.isLogarithmic, "categories stand at equal distances")
    (self.name, self.title, self.alt, self.caption) = (name, title, alt, caption)
    (self.x, self.y, self.series, self.marks, self.categories) = (x, y, series, marks, categories)
    self.shade = shade
  }
}
