/// Named values over x, with an interval where there is one.
public struct ChartSeries: Sendable, Equatable {
  /// How the values are drawn.
  public enum Style: Sendable, Equatable {
    /// A line that breaks where a value is missing.
    case line
    /// The same with a mark at every value.
    case linePoints
    /// Marks alone.
    case points
    /// A staircase: every value holds until the next x, even one without value, as along a Pareto front.
    case steps
  }

  /// As the legend shows it.
  public let name: String
  /// In the unit of the x axis, in the order in which a line visits them.
  public let x: [Double]
  /// One per x, in the unit of the y axis; nil, or not finite, is missing.
  public let y: [Double?]
  /// Lower ends of the intervals, one per x, in the unit of the y axis; drawn where the upper end exists too.
  public let low: [Double?]?
  /// Upper ends.
  public let high: [Double?]?
  public let style: Style
  /// Where the marks lead, one per x; nil where none lead anywhere.
  public let targets: [ChartTarget?]?
  /// A thin grey dashed line in the background: an ideal, a specified value. Its intervals are not drawn.
  public let isReference: Bool
  /// Which of the looks it has, from 0, so that one thing looks the same in several charts; nil for the first that is free.
  public let look: Int?
  /// Looks that differ in colour; as many later, a look has the same colour and another dash.
  public static var colourCount: Int { ChartColour.series.count }

  /// - Precondition: `y`, `low` and `high` have as many elements as `x`; `low` and `high` come together.
  public init(
    _ name: String, x: [Double], y: [Double?], low: [Double?]? = nil, high: [Double?]? = nil,
    style: Style = .linePoints, isReference: Bool = false, targets: [ChartTarget?]? = nil, look: Int? = nil
  ) {
    precondition((targets?.count ?? x.count) == x.count, "one target per x")
    precondition(y.count == x.count, "one y per x")
    precondition((low?.count ?? x.count) == x.count, "one lower end per x")
    precondition((high?.count ?? x.count) == x.count, "one upper end per x")
    precondition((low == nil) == (high == nil), "both ends of the intervals or none")
    (self.name, self.x, self.y, self.low, self.high) = (name, x, y, low, high)
    (self.style, self.isReference, self.targets, self.look) = (style, isReference, targets, look)
  }
}
