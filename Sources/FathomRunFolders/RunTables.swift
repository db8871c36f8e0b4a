public import FathomTables
public import DepthEvaluation

/// The CSV files of a run folder. Without a LiDAR there is none about its confidence.
public struct RunTables: Sendable {
  /// File name and content, in the order of the documentation.
  public let files: [(name: String, table: DataTable)]

  init(files: [(name: String, table: DataTable)]) { self.files = files }

  public init(_ run: EvaluationRun) {
    let hasLidar = run.basis.hasLidar
    let files =
      [
        (FrameTable.fileName, FrameTable.table(run)), ("scenes.csv", SceneTable.table(run)),
        ("methods.csv", MethodTable.table(run)), ("summary.csv", SummaryTable.table(run)),
        ("pairwise.csv", ComparisonTables.pairwise(run)),
      ] + (run.statistics.rankings.isEmpty ? [] : [("ranks.csv", ComparisonTables.ranks(run))])
      + Breakdown.all.filter { hasLidar || $0.id != Breakdown.confidence.id }
      .map { ("\($0.id).csv", BreakdownTable.table($0, run)) }
      + [("cumulative.csv", CumulativeTable.table(run))]
      + (hasLidar ? [("sparsification.csv", SparsificationTable.table(run))] : [])
      + (run.protocols.map { [("protocols.csv", ProtocolTable.table($0))] } ?? [])
      + (run.objects.map {
        [("objects.csv", ObjectTables.objects($0)), ("object_summary.csv", ObjectTables.summary($0))]
      } ?? [])
      + (run.objects?.detection.map { [("detections.csv", ObjectTables.detections($0))] } ?? [])
    let words = hasLidar ? MeaningsWithoutLidar.ofSomeScenes(run) : MeaningsWithoutLidar.ofAll
    self.files = files.map { ($0.name, $0.table.saying(words)) }
  }
}
