import FathomTables
import DepthEvaluation
import DepthVerdicts

/// `ranges.csv`, `confidence.csv`, `steps.csv`, `mask.csv`: a metric of a method in a bin.
enum BreakdownTable {
  static func table(_ breakdown: Breakdown, _ run: EvaluationRun) -> DataTable {
    DataTable.metrics(
      of: "method × bin × metric",
      [CommonColumn.method { $0.method }, CommonColumn.space { $0.space }]
        + breakdown.keyColumns.enumerated().map { place, name in
          Column(meanings[name] ?? ColumnMeaning(name, .text, "name of the bin")) {
            .text(breakdown.key($0.bin)[place])
          }
        }
        + CommonColumn.counts(scenes: { $0.scenes }, frames: { $0.frames }) + [
          .integer("pixels", "truth pixels of the bin, all frames together") { $0.pixels }
        ], value: "over the bin's pixels, then frames, then scenes, as the protocol says",
      (run.aggregation.breakdowns[breakdown.id] ?? []).flatMap { row in
        Breakdown.metrics.enumerated().compactMap { place, metric in
          MetricRow(
            row, metric.id, .all, row.values[place],
            run.statistics.interval(of: row.method, in: breakdown, bin: row.bin, metric: metric))
        }
      })
  }

  private static let meanings: [String: ColumnMeaning] = Dictionary(
    uniqueKeysWithValues: [
      ColumnMeaning("from_m", .number, unit: "m", "true depth above which the bin begins"),
      ColumnMeaning("to_m", .number, unit: "m", "true depth up to which it reaches"),
      ColumnMeaning(
        "confidence", .integer, "confidence of the LiDAR pixel under the truth pixel: 0 low, 1 medium, 2 high"
      ),
      ColumnMeaning(
        "near_step", .integer,
        "1 where the truth pixel lies within one LiDAR pixel of a ratio of neighbouring true depths above 1.1, else 0"
      ), ColumnMeaning("id", .integer, "id of the truth pixel in the mask"),
      ColumnMeaning("label", .text, "its name", missing: "the mask's names.csv does not have it"),
    ].map { ($0.id, $0) })
}
