public import DepthReport
public import Storage

/// The tables of an export, made from the tables of a run: selected, renamed and turned from wide to long.
///
/// No number is computed or rounded. A table that the run does not have, or that would have no rows, is left out.
public struct TidyTables: Sendable {
  /// In the order of the documentation.
  public let tables: [TidyTable]

  /// - Throws: `FathomError` where the run misses a table that every run has, or one is damaged.
  public init(_ run: StoredRun) throws(FathomError) {
    var tables = [SceneTables.scenes(run.manifest)]
    tables += try MethodTables.tables(run)
    tables += try FrameTables.tables(run)
    tables += try SceneTables.tables(run)
    tables += try ComparisonTables.tables(run)
    tables += try CurveTables.tables(run)
    tables += try ObjectTables.tables(run)
    tables += try ProtocolTables.tables(run)
    self.tables = tables.filter { !$0.content.rows.isEmpty }
  }

  /// The table of this name; nil where the run has none.
  public subscript(_ name: String) -> TidyTable? { tables.first { $0.name == name } }
}
