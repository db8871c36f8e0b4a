import DepthEvaluation
import FathomStatistics

/// Which methods lead a column of the tables.
enum Leaders {
  private static let coverageTolerance = 0.001  // Coverages closer than this count as equal.

  /// Ids of methods with the best value of a column among those that an app could use and that have it in as many frames as
  /// any. A column is absent where all are alike, where methods answer for different pixels, and where the scenes cannot tell: the
  /// best one's 95 % interval holds the next value, or there is none. None leads where only some were fitted to the truth.
  static func byColumn(_ run: EvaluationRun) -> [String: [String]] {
    // A map that was fitted to the truth does not lead one that was not.
    guard Set(run.aggregation.summary.map { run.isFittedToTruth($0.method) }).count < 2 else { return [:] }
    let isComparable = coverageIsEqual(run)
    var leaders: [String: [String]] = [:]
    for column in run.columns where isComparable || column.metric.basis != .predictedPixels {
      let found = leading(column, run)
      if !found.isEmpty { leaders[column.id] = found }
    }
    return leaders
  }

  /// Whether the methods that have a value in most frames cover the same share of the truth.
  static func coverageIsEqual(_ run: EvaluationRun) -> Bool {
    let support = ValueSupport(run, column: .absRel)
    let coverages = run.aggregation.summary.filter { !$0.isOracle && support.isComplete($0.method) }
      .compactMap { $0.value(.coverage) }
    return (coverages.max() ?? 0) - (coverages.min() ?? 0) <= coverageTolerance
  }

  private static func leading(_ column: MetricColumn, _ run: EvaluationRun) -> [String] {
    let support = ValueSupport(run, column: column)
    let rows = run.aggregation.summary.filter { !$0.isOracle && support.isComplete($0.method) }
      .compactMap { row in row.value(column).map { (method: row.method, value: $0) } }
    func isBefore(_ a: Double, _ b: Double) -> Bool {
      switch column.metric.direction {
      case .lowerIsBetter: a < b
      case .higherIsBetter: a > b
      case .zeroIsBest: abs(a) < abs(b)
      }
    }
    let ordered = rows.sorted { isBefore($0.value, $1.value) }
    guard let best = ordered.first, let next = ordered.first(where: { isBefore(best.value, $0.value) }) else {
      return []
    }
    let leading = ordered.filter { $0.value == best.value }.map(\.method)
    let isCertain = leading.allSatisfy { method in
      guard let interval = run.statistics.interval(of: method, column: column) else { return false }
      func holds(_ value: Double) -> Bool { interval.low <= value && value <= interval.high }
      return !holds(next.value) && !(column.metric.direction == .zeroIsBest && holds(-next.value))
    }
    return isCertain ? leading : []
  }
}
