import FathomRunFolders
import FathomTables

/// `DATA-DICTIONARY.md`: the table dictionary of a run for people.
struct DictionaryPage {
  let dictionary: TableDictionary, run: StoredRun

  var text: String {
    ([opening] + dictionary.tables.map(section) + [metrics, provenance]).joined(separator: "\n")
  }

  private var opening: String {
    """
    # Data dictionary of \(run.name)

    The tables of a run of `fathom evaluate`, with `analysis.ipynb`, which draws them with pandas and matplotlib:
    `jupyter lab analysis.ipynb`. `tables.json` is this page for programs.

    The tables are the run's own files. They are UTF-8 with commas and line feeds, and a decimal point whatever the locale. A value that
    does not exist is an empty cell; a table with a column `metric` has no row for it. `inf` is infinity.

    ```python
    import pandas as pd

    summary = pd.read_csv("tables/summary.csv")
    means = summary[summary["statistic"] == "mean"]
    means.pivot(index="method", columns=["metric", "support"], values="value")
    ```

    | table | one row per | rows |
    | --- | --- | --- |
    \(dictionary.tables.map { "| [\($0.file)](tables/\($0.file)) | \($0.row) | \($0.rows) |" }.joined(separator: "\n"))

    """
  }

  private func section(_ table: TableDictionary.Table) -> String {
    let rows = table.columns.map { column in
      let unit = column.unit == ColumnMeaning.ofMetric ? "that of the metric" : column.unit
      return Self.line(["`\(column.id)`", column.type.rawValue, unit, column.meaning, column.missing])
    }
    return """
      ## \(table.file)

      | column | type | unit | meaning | empty where |
      | --- | --- | --- | --- | --- |
      \(rows.joined(separator: "\n"))

      """
  }

  private var metrics: String {
    let rows = dictionary.metrics.map { metric in
      Self.line(["`\(metric.id)`", metric.title, metric.unit, metric.direction, metric.definition])
    }
    return """
      ## Metrics

      d is the predicted depth, g the true one, e = ln d − ln g.

      | metric | name | unit | best | definition |
      | --- | --- | --- | --- | --- |
      \(rows.joined(separator: "\n"))

      """
  }

  private var provenance: String {
    let inputs = run.manifest.inputs.map { "`\($0.file)` (SHA-256 `\($0.sha256)`)" }
    return """
      ## Provenance

      Run `\(run.name)` of fathom \(run.manifest.version), seed \(run.manifest.seed), of \(inputs.joined(separator: ", ")).
      Protocol \(run.manifest.protocolStatement). `run.json` is the run's own and holds every option; `export.json` names the
      files of the run that are here, with their SHA-256. Times are not exported: they differ between equal runs.

      """
  }

  /// A row of a Markdown table.
  private static func line(_ cells: [String]) -> String {
    "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
  }
}
