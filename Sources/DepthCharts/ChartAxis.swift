/// What an axis shows: a quantity, its unit, and how values are laid out along it.
public struct ChartAxis: Sendable, Equatable {
  /// The quantity: "depth error".
  public let title: String
  /// "m"; nil where the quantity has none.
  public let unit: String?
  /// Whether equal ratios, not equal differences, have equal lengths. Values that are not positive have no
  /// place then: they are omitted, and the figure says how many.
  public let isLogarithmic: Bool
  /// The range to show; nil follows the data. Marks outside widen it; lines beyond it are cut off, points are omitted.
  public let range: ClosedRange<Double>?

  /// - Precondition: the bounds of `range` are magnitudes up to 1e300, and on a logarithmic axis from 1e-300.
  public init(
    _ title: String, unit: String? = nil, isLogarithmic: Bool = false, range: ClosedRange<Double>? = nil
  ) {
    if let range {
      precondition(
        max(abs(range.lowerBound), abs(range.upperBound)) <= 1e300, "bounds whose difference is finite")
      precondition(!isLogarithmic || range.lowerBound >= 1e-300, "positive bounds on a logarithmic axis")
    }
    (self.title, self.unit, self.isLogarithmic, self.range) = (title, unit, isLogarithmic, range)
  }

  /// "title [unit]".
  public var label: String { unit.map { "\(title) [\($0)]" } ?? title }

  /// The value if it has a place on the axis. Magnitudes beyond 1e300 have none: their differences overflow.
  func placeable(_ value: Double?) -> Double? {
    guard let value, abs(value) < 1e300, !isLogarithmic || value > 1e-300 else { return nil }
    return value
  }
}
