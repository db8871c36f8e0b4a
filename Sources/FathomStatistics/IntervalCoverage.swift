/// How often an interval of 95 % over scenes holds the true mean, of an error or a difference, whichever is less: shares of 4,000 simulated
/// data sets.
///
/// The simulation is `interval-coverage` in `Tests/RecoveryExperiments`; a test compares these numbers with its table.
public struct IntervalCoverage: Sendable, Equatable {
  public let scenes: Int
  /// Values of scenes that are normal, have the tails of Student's t with three degrees of freedom, are lognormal (σ = 0.7), or are
  /// mixed: one scene in five is much harder.
  public let normal: Double, heavyTailed: Double, skewed: Double, mixed: Double

  /// Of the largest simulated number of scenes that is not above the given one.
  /// - Parameter scenes: At least ``ConfidenceInterval/fewestScenes``.
  public static func simulated(scenes: Int) -> IntervalCoverage {
    table.last { $0.scenes <= scenes } ?? table[0]
  }

  /// By number of scenes.
  package static let table: [IntervalCoverage] = [
    (4, 0.95, 0.97, 0.93, 0.90),
    (5, 0.95, 0.97, 0.93, 0.89),
    (6, 0.95, 0.96, 0.94, 0.87),
    (7, 0.94, 0.96, 0.94, 0.88),
    (8, 0.95, 0.96, 0.94, 0.88),
    (12, 0.95, 0.96, 0.94, 0.93),
    (20, 0.96, 0.96, 0.95, 0.95),
    (30, 0.95, 0.95, 0.96, 0.96),
  ].map { IntervalCoverage(scenes: $0.0, normal: $0.1, heavyTailed: $0.2, skewed: $0.3, mixed: $0.4) }
}
