import FathomTables
import DepthEvaluation
import DepthVerdicts

/// `scenes.csv`: means of a method over a scene's frames.
enum SceneTable {
  static func table(_ run: EvaluationRun) -> DataTable {
    DataTable(
      of: "scene × method",
      [
        CommonColumn.scene { $0.scene }, CommonColumn.method { $0.method }, CommonColumn.space { $0.space },
        .integer("frames", "frames that the method was asked for") { $0.frames },
        .integer("frames_solved", "frames on which it delivered a map that could be scored", \.framesSolved),
      ]
        + run.columns.map { column in
          Column(
            ColumnMeaning(column, "mean over the scene's frames that have a value", missing: "none has")
          ) { .init($0.values[column.position]) }
        },
      run.aggregation.scenes, count: run.aggregation.scenes.count)
  }
}
