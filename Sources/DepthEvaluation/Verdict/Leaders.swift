/// Which methods lead a column of the tables.
enum Leaders {
  /// Coverages closer than this count as equal.
  private static let coverageTolerance = 0.001

  /// Ids of methods with the best value of a column among those that an app could use and that have it in as many frames as
  /// any. A column is absent where all are alike, or where methods answer for different pixels.
  static func byColumn(_ run: EvaluationRun) -> [String: [String]] {
    let isComparable = coverageIsEqual(run)
    var leaders: [String: [String]] = [:]
    for column in MetricColumn.all where isComparable || column.metric.basis != .predictedPixels {
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
    guard Set(rows.map(\.value)).count > 1 else { return [] }
    let best =
      switch column.metric.direction {
      case .lowerIsBetter: rows.map(\.value).min()
      case .higherIsBetter: rows.map(\.value).max()
      case .zeroIsBest: rows.map(\.value).min { abs($0) < abs($1) }
      }
    return rows.filter { $0.value == best }.map(\.method)
  }
}
