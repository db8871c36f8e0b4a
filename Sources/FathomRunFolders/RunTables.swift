import DepthEvaluation
public import DepthVerdicts
public import FathomTables

/// The CSV files of a run folder. Without a LiDAR there is none about its confidence.
public struct RunTables: Sendable {
  /// File name and content, in the order of the documentation.
  public let files: [(name: String, table: DataTable)]
  init(files: [(name: String, table: DataTable)]) { self.files = files }

  public init(_ run: EvaluationRun) {
    let hasLidar = run.basis.hasLidar
    var files: [(name: String, table: DataTable)] = [
      (FrameTable.fileName, FrameTable.table(run)), ("scenes.csv", SceneTable.table(run)),
      ("methods.csv", MethodTable.table(run)), ("summary.csv", SummaryTable.table(run)),
      ("pairwise.csv", ComparisonTables.pairwise(run)),
    ]
    if !run.statistics.rankings.isEmpty { files.append(("ranks.csv", ComparisonTables.ranks(run))) }
    for breakdown in run.breakdowns {
      files.append(("\(breakdown.id).csv", BreakdownTable.table(breakdown, run)))
    }
    if !run.budgets.isEmpty { files.append(("budget.csv", BudgetTable.table(run.budgets))) }
    files.append(("cumulative.csv", CumulativeTable.table(run)))
    if hasLidar { files.append(("sparsification.csv", SparsificationTable.table(run))) }
    files += DeviationTables.files(run)
    if let protocols = run.protocols { files.append(("protocols.csv", ProtocolTable.table(protocols))) }
    if let objects = run.objects {
      files.append(("objects.csv", ObjectTables.objects(objects)))
      files.append(("object_summary.csv", ObjectTables.summary(objects)))
      if let detection = objects.detection {
        files.append(("detections.csv", ObjectTables.detections(detection)))
      }
    }
    let words = hasLidar ? MeaningsWithoutLidar.ofSomeScenes(run) : MeaningsWithoutLidar.ofAll
    self.files = files.map { ($0.name, $0.table.saying(words)) }
  }
}
