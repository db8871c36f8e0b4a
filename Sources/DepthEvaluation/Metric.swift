import DepthCore
public import FathomStatistics

/// A figure of merit of a depth map, defined once: every table, chart, sentence and check takes its facts from here.
public struct Metric: Identifiable, Sendable {
  /// Which way is better.
  public typealias Direction = BetterDirection
  /// What the number counts.
  public enum Unit: String, Sendable, Codable {
    case none = "", metre = "m", perMetre = "1/m", perKilometre = "1/km", degree = "deg", pixel = "px"
    /// A share of 1.
    case share = "share"
  }

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
  let rule: Rule  // Which terms are summed, and how sums become the value.
  /// Pixels that it is told of, each in a column of its own.
  public let supports: [Support]
  /// What any prediction can have; a value outside is a fault of who computed or wrote it.
  public let possible: ClosedRange<Double>
  /// How charts show it.
  public let display: DisplayUnit
  /// Whether tables show its interval over scenes.
  public let hasInterval: Bool
  /// Whether a refused frame has the value 0 instead of none: it tells how much a method delivers, not how well.
  public let isZeroWhereRefused: Bool
  /// What it looks at; by it tables tell which means may be ranked.
  public var basis: Basis { rule.basis }
  /// Whether single pixels determine it.
  public var isOfPixels: Bool { basis == .predictedPixels || basis == .truthPixels }

  /// - Parameter possible: nil for what unit and direction say: a share is one of 1, an error has no sign unless zero is best.
  /// - Parameter display: nil for that of the unit.
  init(
    id: String, title: String, unit: Unit, direction: Direction = .lowerIsBetter, formula: String, rule: Rule,
    supports: [Support] = [.all], possible: ClosedRange<Double>? = nil, display: DisplayUnit? = nil,
    hasInterval: Bool = true, isZeroWhereRefused: Bool = false
  ) {
    (self.id, self.title, self.unit, self.direction) = (id, title, unit, direction)
    (self.formula, self.rule, self.supports) = (formula, rule, supports)
    let magnitude = unit == .share ? 0...1 : 0...Double.infinity
    self.possible = possible ?? (direction == .zeroIsBest ? Self.signed : magnitude)
    self.display = display ?? unit.display
    (self.hasInterval, self.isZeroWhereRefused) = (hasInterval, isZeroWhereRefused)
  }

  /// ``possible`` of what may be negative.
  package static let signed = -Double.infinity...Double.infinity
  /// Every metric: the columns of `frames.csv`, and what only bins have.
  public static let all = (depth + structure + Breakdown.metrics + extended).firstAppearances
}

/// A metric is its id.
extension Metric: Hashable, CustomStringConvertible {
  public var description: String { id }
  public static func == (left: Metric, right: Metric) -> Bool { left.id == right.id }
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
