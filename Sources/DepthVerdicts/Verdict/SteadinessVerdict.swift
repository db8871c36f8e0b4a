import DepthEvaluation

/// How much a still surface moves between frames, method by method: what can be said without truth.
public struct SteadinessVerdict: Codable, Sendable, Equatable {
  /// A method with a value in as many frames as any.
  public struct Entry: Codable, Sendable, Equatable {
    public let method: String
    /// Flicker, metres.
    public let value: Double
    public let frames: Int, scenes: Int
    /// Share by which it is lower than the baseline's; negative where it is higher, nil for the baseline and where that is zero.
    public let gain: Double?
  }

  /// Column of the values.
  public let column: String
  public let baseline: String
  /// The steadiest first. Equal values stand in the order of the run.
  public let methods: [Entry]
  /// Whether no method is steadier than the baseline by ``ComparisonVerdict/noGain``.
  public let baselineIsBest: Bool

  /// nil where the baseline has no value, or nothing to compare with.
  init?(_ run: EvaluationRun) {
    let column = MetricColumn(.flicker)
    let support = ValueSupport(run, column: column)
    let rows = run.aggregation.summary.compactMap { row -> (method: String, value: Double)? in
      guard !row.isOracle, support.isComplete(row.method), let value = row.value(column), value.isFinite
      else { return nil }
      return (row.method, value)
    }
    guard rows.count > 1, let reference = rows.first(where: { $0.method == run.baseline })?.value else {
      return nil
    }
    self.column = column.id
    baseline = run.baseline
    methods = rows.enumerated().sorted { ($0.element.value, $0.offset) < ($1.element.value, $1.offset) }
      .map { _, row in
        let count = support.of(row.method)
        let gain = row.method == run.baseline || reference <= 0 ? nil : 1 - row.value / reference
        return Entry(
          method: row.method, value: row.value, frames: count.frames, scenes: count.scenes, gain: gain)
      }
    baselineIsBest = !methods.contains { ($0.gain ?? 0) >= ComparisonVerdict.noGain }
  }
}
