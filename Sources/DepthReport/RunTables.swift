public import DepthEvaluation
import DepthFusion

/// The CSV files of a run folder.
public struct RunTables: Sendable {
  /// File name and content, in the order of the documentation.
  public let files: [(name: String, table: DataTable)]

  public init(_ run: EvaluationRun) {
    files =
      [
        ("frames.csv", Self.frames(run)), ("scenes.csv", Self.scenes(run)),
        ("summary.csv", SummaryTable.table(run)), ("pairwise.csv", ComparisonTables.pairwise(run)),
      ] + (run.statistics.rankings.isEmpty ? [] : [("ranks.csv", ComparisonTables.ranks(run))])
      + Breakdown.all.map { ("\($0.id).csv", Self.breakdown($0, run)) }
      + [
        ("cumulative.csv", CumulativeTable.table(run)),
        ("sparsification.csv", SparsificationTable.table(run)),
      ]
      + (run.protocols.map { [("protocols.csv", ProtocolTables.table($0))] } ?? [])
      + (run.objects.map {
        [("objects.csv", ObjectTables.objects($0)), ("object_summary.csv", ObjectTables.summary($0))]
      } ?? [])
      + (run.objects?.detection.map { [("detections.csv", ObjectTables.detections($0))] } ?? [])
  }

  /// A file that could not be used is a row of its own, with status `unreadable`.
  static func frames(_ run: EvaluationRun) -> DataTable {
    let head = [
      "scene", "frame", "method", "space", "status", "reason", "pairs", "inliers", "scale", "shift", "rank",
      "condition", "spread",
    ]
    return DataTable(
      columns: head + MetricColumn.all.map(\.id),
      rows: run.records.map { record in
        let fusion = record.fusion
        return [
          .text(record.scene), .text(record.frame), .text(record.method), .init(record.space?.rawValue),
          .text(fusion.status.rawValue), .init(fusion.reason), .init(fusion.pairs), .init(fusion.inliers),
          .init(fusion.line?.scale), .init(fusion.line?.shift), .init(fusion.design?.rank),
          .init(fusion.design?.condition), .init(fusion.design?.spread),
        ] + MetricColumn.all.indices.map { .init(record.values.isEmpty ? nil : record.values[$0]) }
      }
        + run.unreadable.map { file in
          [.text(file.name), .empty, .empty, .empty, .text("unreadable"), .text(file.reason)]
            + Array(repeating: .empty, count: head.count - 6 + MetricColumn.all.count)
        })
  }

  static func scenes(_ run: EvaluationRun) -> DataTable {
    DataTable(
      columns: ["scene", "method", "space", "frames", "frames_solved"] + MetricColumn.all.map(\.id),
      rows: run.aggregation.scenes.map { row in
        [
          .text(row.scene), .text(row.method), .init(row.space), .integer(row.frames),
          .integer(row.framesSolved),
        ] + row.values.map { .init($0) }
      })
  }

  static func breakdown(_ breakdown: Breakdown, _ run: EvaluationRun) -> DataTable {
    DataTable(
      columns: ["method", "space"] + breakdown.keyColumns + ["scenes", "frames", "pixels"]
        + Breakdown.metrics.map(\.id)
        + Breakdown.intervalMetrics.flatMap { ["\($0.id)_low", "\($0.id)_high"] },
      rows: (run.aggregation.breakdowns[breakdown.id] ?? []).map { row in
        [.text(row.method), .init(row.space)] + breakdown.key(row.bin).map { .text($0) }
          + [.integer(row.scenes), .integer(row.frames), .integer(row.pixels)] + row.values.map { .init($0) }
          + Breakdown.intervalMetrics.flatMap { metric -> [DataTable.Cell] in
            let interval = run.statistics.interval(
              of: row.method, in: breakdown, bin: row.bin, metric: metric)
            return [.init(interval?.low), .init(interval?.high)]
          }
      })
  }
}
