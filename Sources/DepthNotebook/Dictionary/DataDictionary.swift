public import DepthReport
import Storage

/// What every column and every metric of an export means: `dictionary.csv`, and `DATA-DICTIONARY.md` for people.
public struct DataDictionary: Sendable {
  private let tables: [TidyTable]
  private let run: StoredRun

  public init(_ tables: TidyTables, of run: StoredRun) {
    (self.tables, self.run) = (tables.tables, run)
  }

  /// `dictionary.csv`: a row per column of every table, and a row per metric that its column `metric` names.
  public var table: DataTable {
    DataTable(
      columns: [
        "table", "column", "metric", "title", "type", "unit", "direction", "definition", "missing",
      ],
      rows: tables.flatMap { table in
        table.content.columns.map { Self.row($0, of: table.name) }
          + table.metrics.map { Self.row(.entry($0), of: table.name) }
      })
  }

  private static func row(_ column: String, of table: String) -> [DataTable.Cell] {
    let entry = ColumnEntry.entry(column, of: table)
    return cells([
      table, column, "", "", entry.kind.rawValue, entry.unit, "", entry.definition, entry.missing,
    ])
  }

  private static func row(_ metric: MetricEntry, of table: String) -> [DataTable.Cell] {
    cells([
      table, "metric", metric.id, metric.title, ColumnEntry.Kind.number.rawValue, metric.unit,
      metric.direction, metric.definition, "the row is absent",
    ])
  }

  private static func cells(_ texts: [String]) -> [DataTable.Cell] {
    texts.map { $0.isEmpty ? .empty : .text($0) }
  }

  /// `DATA-DICTIONARY.md`.
  public var page: String {
    ([opening] + tables.map(section) + [metrics, provenance]).joined(separator: "\n")
  }

  private var opening: String {
    """
    # Data dictionary of \(run.name)

    Tidy tables of a run of `fathom evaluate`, one observation per row, with `analysis.ipynb`, which draws them with pandas and
    matplotlib: `jupyter lab analysis.ipynb`. `dictionary.csv` is this page for programs.

    Numbers are those of the run, digit by digit; nothing is computed again. Files are UTF-8 with commas and line feeds, and a
    decimal point whatever the locale. A value that does not exist is an empty cell; in tables with a column `metric` its row is
    absent where there is no `value`. `inf` is infinity. A table that the run has no rows for is absent.

    ```python
    import pandas as pd

    summary = pd.read_csv("tables/summary.csv")
    summary.pivot(index="method", columns="metric", values="value")
    ```

    | table | one row per | rows | made from |
    | --- | --- | --- | --- |
    \(tables.map { "| [\($0.name)](tables/\($0.name).csv) | \($0.row) | \($0.content.rows.count) | `\($0.source)` |" }.joined(separator: "\n"))

    """
  }

  private func section(_ table: TidyTable) -> String {
    let rows = table.content.columns.map { column in
      let entry = ColumnEntry.entry(column, of: table.name)
      let unit = entry.unit == "metric" ? "that of the metric" : entry.unit
      return Self.line(["`\(column)`", entry.kind.rawValue, unit, entry.definition, entry.missing])
    }
    return """
      ## \(table.name)

      | column | type | unit | meaning | empty where |
      | --- | --- | --- | --- | --- |
      \(rows.joined(separator: "\n"))

      """
  }

  private var metrics: String {
    var seen: Set<String> = []
    let ids = tables.flatMap(\.metrics).filter { seen.insert($0).inserted }
    let rows = ids.map { id in
      let metric = MetricEntry.entry(id)
      let holders = tables.filter { $0.holds(id) }.map(\.name).joined(separator: ", ")
      return Self.line([
        "`\(id)`", metric.title, metric.unit, metric.direction, metric.definition, holders,
      ])
    }
    return """
      ## Metrics

      d is the predicted depth, g the true one, e = ln d − ln g.

      | metric | name | unit | best | definition | tables |
      | --- | --- | --- | --- | --- | --- |
      \(rows.joined(separator: "\n"))

      """
  }

  private var provenance: String {
    let inputs = run.manifest.inputs.map { "`\($0.file)` (SHA-256 `\($0.sha256)`)" }
    return """
      ## Provenance

      Run `\(run.name)` of fathom \(run.manifest.version), seed \(run.manifest.seed), of \(inputs.joined(separator: ", ")).
      Protocol \(run.manifest.protocolStatement). `run.json` is the run's own and holds every option; `export.json` says which
      files of the run the tables are made from, with their SHA-256. Times are not exported: they differ between equal runs.

      """
  }

  /// A row of a Markdown table.
  private static func line(_ cells: [String]) -> String {
    "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
  }
}
