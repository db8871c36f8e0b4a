/// What is chosen from some scenes: the least loss, then the one nearest to the app's values that is within one standard
/// error of it.
/// - SeeAlso: Breiman, Friedman, Olshen, Stone 1984, Classification and Regression Trees, §3.4.3 (one-standard-error rule);
///   the standard error is that of the paired difference over scenes.
public struct ConfigurationChoice: Sendable, Hashable {
  /// Position in the grid of the least loss.
  public let best: Int
  /// What the rule chooses.
  public let chosen: Int
  /// Configurations within one standard error of the best, itself included.
  public let equivalent: Int
  /// Losses over the scenes that the choice was made from.
  public let bestLoss: Double, chosenLoss: Double

  /// - Parameter scenes: Positions of the scenes that may be looked at.
  /// - Parameter candidates: Rows that may be chosen; nil for all.
  /// - Returns: nil where no configuration has a loss in all scenes and reaches the floor of the coverage
  ///   (``LossTable/floor(in:)``).
  init?(_ table: LossTable, scenes: [Int], candidates: [Int]? = nil) {
    let floor = table.floor(in: scenes)
    let eligible = (candidates ?? Array(table.losses.indices)).filter { row in
      scenes.allSatisfy { table.losses[row][$0].isFinite } && table.coverage(of: row, in: scenes) >= floor
    }
    func loss(_ row: Int) -> Double { table.statistic(scenes.map { table.losses[row][$0] }) }
    let losses = eligible.map(loss)
    guard
      let first = eligible.indices.min(by: {
        (losses[$0], table.changes[eligible[$0]], $0) < (losses[$1], table.changes[eligible[$1]], $1)
      })
    else { return nil }
    let least = eligible[first]
    let near = eligible.indices.filter { index in
      let row = eligible[index]
      // Where two differ by rounding alone, so does the standard error of that.
      let rounding = 1e-12 * abs(losses[first])
      return losses[index] - losses[first] <= Self.standardError(table, row, least, scenes) + rounding
    }
    let pick =
      near.min {
        (table.changes[eligible[$0]], losses[$0], $0) < (table.changes[eligible[$1]], losses[$1], $1)
      } ?? first
    (best, chosen) = (table.configurations[least], table.configurations[eligible[pick]])
    equivalent = near.count
    (bestLoss, chosenLoss) = (losses[first], losses[pick])
  }

  /// Standard error over scenes of the difference of two rows: of the mean, or by the jackknife that of the worst scene.
  /// 0 for a single scene.
  private static func standardError(_ table: LossTable, _ a: Int, _ b: Int, _ scenes: [Int]) -> Double {
    guard scenes.count > 1, a != b else { return 0 }
    return PairedGain(
      scenes.map { table.losses[a][$0] }, minus: scenes.map { table.losses[b][$0] }, in: table
    ).standardError ?? 0
  }
}
