import DepthEvaluation
import DepthFusion

/// Whether the LiDAR's confidence orders its error.
public struct ConfidenceVerdict: Codable, Sendable, Equatable {
  /// A confidence level of the raw LiDAR.
  public struct Level: Codable, Sendable, Equatable {
    public let level: Int
    /// Median relative error, mean over scenes.
    public let medianRel: Double
    public let scenes: Int
  }

  /// From the most confident on.
  public let levels: [Level]
  /// Whether every level has an error that is lower than the next by more than a tenth of it: levels drawn by lot differ, too.
  public let isOrdered: Bool
  private static let least = 1.1

  init?(_ run: EvaluationRun) {
    levels = (run.aggregation.breakdowns[Breakdown.confidence.id] ?? [])
      .filter { $0.method == MethodSelection.lidarBilinear.id }.sorted { $0.bin > $1.bin }
      .compactMap { row in
        row.value(.medianRel).flatMap {
          $0.isFinite ? Level(level: row.bin, medianRel: $0, scenes: row.scenes) : nil
        }
      }
    guard levels.count > 1 else { return nil }
    isOrdered = zip(levels, levels.dropFirst()).allSatisfy { Self.least * $0.medianRel < $1.medianRel }
  }
}
