import DepthEvaluation
import TextTable

/// A table for people: rounded text, aligned; drawn by TextTable for the terminal and for Markdown.
public struct DisplayTable: Sendable {
  /// A column head and how its cells are aligned.
  public struct Column: Sendable {
    let title: String
    let isNumeric: Bool

    /// A head that is shown as it is.
    public init(_ title: String, numeric: Bool = true) { (self.title, isNumeric) = (title, numeric) }

    /// "RMSE [m] ↓"
    init(_ metric: Metric) {
      let unit = metric.unit == .metre || metric.unit == .perMetre ? " [\(metric.unit.rawValue)]" : ""
      self.init("\(metric.title)\(unit) \(metric.direction.arrow)")
    }
  }

  let columns: [Column]
  let rows: [[String]]

  public init(columns: [Column], rows: [[String]]) {
    self.columns = columns
    // A line break in a name would end the row.
    self.rows = rows.map { $0.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") } }
  }

  /// For a terminal.
  public var plain: String { render(Style.simple, rows) }

  /// For Markdown; a bar in a cell is escaped.
  public var markdown: String {
    render(Style.pipe, rows.map { $0.map { $0.replacing("|", with: "\\|") } })
  }

  private func render(_ style: any TextTableStyle.Type, _ rows: [[String]]) -> String {
    let columns = self.columns
    let escaped =
      style == Style.pipe ? columns.map { $0.title.replacing("|", with: "\\|") } : columns.map(\.title)
    let table = TextTable<[String]> { row in
      columns.indices.map {
        textColumn(
          title: escaped[$0], value: row[$0], align: columns[$0].isNumeric ? .right : .left)
      }
    }
    return table.string(for: rows, style: style) ?? ""
  }
}

/// TextTable's own column; a function because `DisplayTable.Column` hides the type's name.
private func textColumn(title: String, value: String, align: Alignment) -> Column {
  Column(title: title, value: value, align: align)
}
