internal import FathomStatistics

extension Interval {
  /// Of a mean over scenes, by Student's t; nil for fewer than two.
  init?(meanOf values: [Double]) {
    guard values.count >= 2 else { return nil }
    let n = Double(values.count), mean = values.reduce(0, +) / n
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)
    let reach = StudentDistribution.criticalValue(0.05, freedom: n - 1) * (variance / n).squareRoot()
    self.init(low: mean - reach, high: mean + reach)
  }
}
