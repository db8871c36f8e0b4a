package import DepthEvaluation

/// On how many frames and scenes the mean of a column rests, by method.
///
/// Means over different frames are not ranked: a method that refuses hard frames would win by doing so.
package struct ValueSupport {
  private let counts: [String: Count]
  package let most: Count  // Of the method that has a value in most frames; oracles aside.
  /// What a mean rests on.
  package struct Count: Equatable { package var frames = 0, scenes = 0 }

  package init(_ run: EvaluationRun, column: MetricColumn) {
    let valued = run.aggregation.summary.filter { $0.framesWithValue[column.position] > 0 }
    counts = Dictionary(
      uniqueKeysWithValues: valued.map { row in
        (
          row.method,
          Count(frames: row.framesWithValue[column.position], scenes: row.scenesWithValue[column.position])
        )
      })
    let oracles = Set(run.aggregation.summary.filter(\.isOracle).map(\.method))
    most =
      counts.filter { !oracles.contains($0.key) }.values
      .max { ($0.frames, $0.scenes) < ($1.frames, $1.scenes) } ?? Count()
  }

  package func of(_ method: String) -> Count { counts[method] ?? Count() }
  /// Whether no other method has values in more frames.
  package func isComplete(_ method: String) -> Bool { of(method).frames >= most.frames }
}
