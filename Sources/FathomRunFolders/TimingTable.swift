import DepthEvaluation
public import DepthVerdicts
public import FathomTables

/// `timing.csv`: how long a run took, and what may differ between two otherwise equal runs.
public struct TimingTable: Sendable {
  /// Named facts about the run as a whole: dates, seconds, jobs; where it was asked for, command line and host.
  public var facts: [(item: String, value: String)]
  public init(facts: [(item: String, value: String)]) { self.facts = facts }

  /// The facts alone.
  public var factsTable: DataTable {
    DataTable(columns: ["item", "value"], rows: facts.map { [.text($0.item), .text($0.value)] })
  }

  /// The facts, then the fusion time of every row of `frames.csv` in milliseconds. It is not a result, so no dictionary describes it.
  public func table(_ run: EvaluationRun) -> DataTable {
    DataTable(
      of: "", ["item", "scene", "frame", "method", "value"].map { ColumnMeaning(named: $0) },
      DataRows(facts.map { [.text($0.item), .empty, .empty, .empty, .text($0.value)] })
        + DataRows(of: run.records, count: run.records.count) {
          [
            .text("fusion_ms"), .text($0.scene), .text($0.frame), .text($0.method),
            .number($0.fusionSeconds * 1000),
          ]
        })
  }
}
