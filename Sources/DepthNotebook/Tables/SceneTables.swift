import DepthReport
import Storage

/// `scenes`, from `run.json`, `scene_methods` and `scene_metrics`, from `scenes.csv`, and `diagnosis`, where it was made.
enum SceneTables {
  static func scenes(_ manifest: RunManifest) -> TidyTable {
    TidyTable(
      "scenes", row: "scene", source: "run.json",
      columns: ["scene", "frames", "relative_kind", "kind_correlation", "truth_independence"],
      rows: manifest.scenes.map { scene in
        [
          scene.name, "\(scene.frames)", scene.relativeKind, scene.kindCorrelation.map { "\($0)" } ?? "",
          scene.truthIndependence ?? "",
        ]
      })
  }

  static func tables(_ run: StoredRun) throws(FathomError) -> [TidyTable] {
    guard let stored = try run.tidied("scenes.csv", isRequired: true) else { return [] }
    var tables: [TidyTable] = []
    if let found = try run.tidied("diagnosis.csv") {
      tables.append(
        TidyTable(
          "diagnosis", row: "scene × test of a convention", source: found.name, columns: found.header,
          rows: found.rows))
    }
    let keys = ["scene", "method", "space", "frames", "frames_solved"]
    let long = WideColumns(
      keys: ["scene", "method"], measures: stored.columns(without: keys), parts: WideColumns.value)
    return tables + [
      TidyTable(
        "scene_methods", row: "scene × method", source: stored.name, columns: keys,
        rows: try stored.columns(keys)),
      TidyTable(
        "scene_metrics", row: "scene × method × metric", source: stored.name, columns: long.columns,
        rows: try long.rows(of: stored)),
    ]
  }
}
