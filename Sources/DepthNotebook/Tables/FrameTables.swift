import DepthReport
import Storage

/// `frames` and `frame_metrics`, from `frames.csv`.
enum FrameTables {
  private static let keys = [
    "scene", "frame", "method", "space", "status", "reason", "pairs", "inliers", "scale", "shift", "rank",
    "condition", "spread",
  ]

  static func tables(_ run: StoredRun) throws(FathomError) -> [TidyTable] {
    guard let stored = try run.tidied("frames.csv", isRequired: true) else { return [] }
    let long = WideColumns(
      keys: ["scene", "frame", "method"], measures: stored.columns(without: keys), parts: WideColumns.value)
    return [
      TidyTable(
        "frames", row: "scene × frame × method", source: stored.name, columns: keys,
        rows: try stored.columns(keys)),
      TidyTable(
        "frame_metrics", row: "scene × frame × method × metric", source: stored.name, columns: long.columns,
        rows: try long.rows(of: stored)),
    ]
  }
}
