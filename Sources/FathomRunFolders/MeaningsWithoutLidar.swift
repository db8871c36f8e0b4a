import DepthCore
import DepthEvaluation
import DepthVerdicts
import FathomTables

/// What columns mean where scenes have no LiDAR and that is something else, by their names.
enum MeaningsWithoutLidar {
  /// Of a run in which no scene has one.
  static let ofAll = [
    "method": "the prediction: stored: and its name", "form": "solved: frames that both solved",
    "support": "truth pixels that count: all", "pairs": "truth pixels that entered the fit to the truth",
    "min_confidence": "not for predictions: lowest confidence of a pair that is fitted",
    "near_step":
      "1 where the truth pixel lies within 1/256 of the picture's width of a ratio of neighbouring true depths above 1.1, else 0",
  ]

  /// Of a run in which some scenes have one; empty where all have.
  static func ofSomeScenes(_ run: EvaluationRun) -> [String: String] {
    guard !run.scenes.allSatisfy(\.header.hasLidar) else { return [:] }
    return [
      NonMetricColumn.status.rawValue:
        "ok, or the first that applies of no_lidar, no_relative, too_few_pairs, degenerate, rejected_scale, no_truth, "
        + "impossible; unreadable for a file"
    ]
  }
}

extension DataTable {
  /// The same table with other meanings of some columns.
  func saying(_ words: [String: String]) -> DataTable {
    guard !words.isEmpty else { return self }
    return DataTable(
      of: unit,
      meanings.map { column in
        ColumnMeaning(
          column.id, column.type, unit: column.unit, words[column.id] ?? column.meaning,
          missing: column.missing, metric: column.metric, support: column.support)
      }, rows)
  }
}
