import DepthEvaluation
import DepthFusion

/// Truth pixels that the LiDAR does not cover, and who fills them best.
public struct FilledVerdict: Codable, Sendable, Equatable {
  /// A method's MAE on those pixels.
  public struct Entry: Codable, Sendable, Equatable {
    public let method: String
    /// Metres.
    public let error: Double
    public let scenes: Int
  }

  /// Share of the truth that the LiDAR covers.
  public let lidarCoverage: Double
  /// Frames and scenes with such pixels.
  public let frames: Int, scenes: Int
  /// The lowest MAE of the methods that have a value everywhere: a method with gaps, or that refuses frames, is scored on easier
  /// pixels.
  public let best: Entry
  /// Methods with gaps whose error is lower on what they cover.
  public let lowerWithGaps: [Entry]
  private static let wholeCoverage = 0.9999  // A method with this coverage has a value everywhere.
  private static let coveredByLidar = 0.999  // With this coverage of the LiDAR there is nothing to fill.

  init?(_ run: EvaluationRun) {
    let summary = run.aggregation.summary
    guard let raw = summary.first(where: { $0.method == MethodSelection.lidarBilinear.id }),
      let coverage = raw.value(.coverage), coverage < Self.coveredByLidar
    else { return nil }
    let support = ValueSupport(run, column: .maeFilled)
    let rows = summary.compactMap { row -> (entry: Entry, isWhole: Bool)? in
      guard !row.isOracle, let error = row.value(.maeFilled), error.isFinite else { return nil }
      let isWhole = (row.value(.coverage) ?? 0) > Self.wholeCoverage && support.isComplete(row.method)
      return (Entry(method: row.method, error: error, scenes: support.of(row.method).scenes), isWhole)
    }
    guard let best = rows.filter(\.isWhole).min(by: { $0.entry.error < $1.entry.error })?.entry else {
      return nil
    }
    lidarCoverage = coverage
    (frames, scenes) = (support.of(best.method).frames, best.scenes)
    self.best = best
    lowerWithGaps = rows.filter { !$0.isWhole && $0.entry.error < best.error }.map(\.entry)
  }
}
