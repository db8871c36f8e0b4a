public import DepthEvaluation
import DepthFusion
import Statistics

/// The CSV files of a run folder.
public struct RunTables: Sendable {
  /// File name and content, in the order of the documentation.
  public let files: [(name: String, table: DataTable)]

  /// The table with a row per frame and method.
  static let framesFile = "frames.csv"

  init(files: [(name: String, table: DataTable)]) { self.files = files }

  public init(_ run: EvaluationRun) {
    files =
      [
        (Self.framesFile, Self.frames(run)), ("scenes.csv", Self.scenes(run)),
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
    DataTable(
      columns: FrameColumn.header,
      rows: DataRows(of: run.records, count: run.records.count) { FrameColumn.row($0) }
        + DataRows(run.unreadable.map { FrameColumn.row($0) }))
  }

  static func scenes(_ run: EvaluationRun) -> DataTable {
    DataTable(
      columns: ["scene", "method", "space", "frames", "frames_solved"] + MetricColumn.all.map(\.id),
      rows: DataRows(of: run.aggregation.scenes, count: run.aggregation.scenes.count) { row in
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
