/// A figure of merit of a depth map, defined once: every table, file and legend takes it from here.
public struct Metric: Identifiable, Sendable {
  /// Which way is better.
  public enum Direction: String, Sendable, Codable {
    case lowerIsBetter, higherIsBetter
    /// Signed, best at zero.
    case zeroIsBest

    /// For table heads.
    public var arrow: String {
      switch self {
      case .lowerIsBetter: "↓"
      case .higherIsBetter: "↑"
      case .zeroIsBest: "→0"
      }
    }
  }
  /// What the number counts.
  public enum Unit: String, Sendable, Codable {
    case none = ""
    case metre = "m"
    case perMetre = "1/m"
    case perKilometre = "1/km"
    /// A share of 1.
    case share = "share"
  }

  /// Stable column name: "rmse_m".
  public let id: String
  /// For people: "RMSE".
  public let title: String
  /// Unit of the value.
  public let unit: Unit
  /// Which way is better.
  public let direction: Direction
  /// For the legend of a report; d prediction, g truth, e = ln d − ln g.
  public let formula: String
  /// How values of several frames become that of all their pixels; nil for a metric that is defined on images only.
  let pooling: Pooling?
  /// The value; nil where the pixels give none.
  public let value: @Sendable (DepthPairs) -> Double?

  init(
    id: String, title: String, unit: Unit, direction: Direction = .lowerIsBetter, formula: String,
    pooling: Pooling? = nil,
    value: @escaping @Sendable (DepthPairs) -> Double?
  ) {
    (self.id, self.title, self.unit, self.direction) = (id, title, unit, direction)
    self.formula = formula
    self.pooling = pooling
    self.value = value
  }
}
