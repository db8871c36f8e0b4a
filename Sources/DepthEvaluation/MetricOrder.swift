/// How the values of some metrics at the same pixels stand to each other, whatever was predicted.
public struct MetricOrder: Sendable {
  /// A metric in a relation.
  public struct Term: Sendable {
    public let metric: Metric
    /// As the relation is written: "|bias|", "SILog/100".
    public let name: String
    /// What a value is multiplied by before it is compared.
    public let factor: Double

    init(_ metric: Metric, _ name: String, times factor: Double = 1) {
      (self.metric, self.name, self.factor) = (metric, name, factor)
    }
  }

  /// The magnitude of each is at most that of the next.
  public let terms: [Term]
  /// Why that is so.
  public let reason: String
  private init(_ terms: [Term], _ reason: String) { (self.terms, self.reason) = (terms, reason) }

  public static let all: [MetricOrder] = [
    MetricOrder(
      [Term(.mae, "MAE"), Term(.rmse, "RMSE")], "a root mean square is at least the mean magnitude"),
    MetricOrder([Term(.bias, "|bias|"), Term(.mae, "MAE")], "the mean error is at most the mean magnitude"),
    MetricOrder(
      [Term(.medianAE, "median"), Term(.p90AE, "P90"), Term(.p95AE, "P95")],
      "quantiles grow with their share"),
    MetricOrder(
      [Term(.deltaHalf, "δ½"), Term(.delta1, "δ1"), Term(.delta2, "δ2"), Term(.delta3, "δ3")],
      "a wider tolerance holds at least as many pixels"),
    MetricOrder(
      [Term(.silog, "SILog/100", times: 0.01), Term(.rmseLog, "RMSE log")],
      "a standard deviation is at most the root mean square"),
  ]
}
