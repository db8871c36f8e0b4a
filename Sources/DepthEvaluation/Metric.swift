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
  /// What it looks at, and what that means for a missing prediction.
  public enum Basis: String, Sendable, Codable {
    /// Pixels that have a prediction: means of methods of unequal coverage are not comparable.
    case predictedPixels
    /// Every truth pixel: one without a prediction counts against the method.
    case truthPixels
    /// The whole image, its edges or its order by confidence.
    case image
    /// Neighbouring frames: no image has a value of its own; a run of posed frames fills it in.
    case neighbours
  }

  public let basis: Basis
  private let definition: @Sendable (DepthPairs) -> Double?

  /// The value; nil where the pixels give none.
  public var value: @Sendable (DepthPairs) -> Double? { definition }

  /// Whether single pixels determine it.
  public var isOfPixels: Bool { basis == .predictedPixels || basis == .truthPixels }

  init(
    id: String, title: String, unit: Unit, direction: Direction = .lowerIsBetter, formula: String,
    pooling: Pooling? = nil, basis: Basis = .predictedPixels,
    value: @escaping @Sendable (DepthPairs) -> Double?
  ) {
    (self.id, self.title, self.unit, self.direction) = (id, title, unit, direction)
    self.formula = formula
    self.pooling = pooling
    self.basis = basis
    definition = value
  }
}
