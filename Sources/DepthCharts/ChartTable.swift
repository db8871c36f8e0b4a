import FathomPlainText

/// The data of a figure, tidy: one row per value.
public struct ChartTable: Sendable, Equatable {
  /// Names of the text columns, then of the number columns.
  public let columns: [String]
  /// The text fields of every row.
  public let labels: [[String]]
  /// The numbers of every row; nil where a value does not exist.
  public let rows: [[Double?]]

  /// Columns `series, kind, x, y`, with `category` before x and `low, high` at the end where the chart has
  /// them. `kind` is "data", "reference", "shade" or "mark"; a mark has no y.
  init(_ chart: Chart) {
    let categories = chart.categories
    let hasIntervals = chart.series.contains { $0.low != nil }
    var (labels, rows) = ([[String]](), [[Double?]]())
    func append(_ name: String, _ kind: String, _ x: Double, _ numbers: [Double?]) {
      let place = Int(exactly: x.rounded()).flatMap { index in
        categories.map { $0.indices.contains(index) ? $0[index] : "" }
      }
      labels.append([name, kind] + (categories == nil ? [] : [place ?? ""]))
      rows.append([x] + numbers.prefix(hasIntervals ? 3 : 1))
    }
    for series in chart.series {
      for index in series.x.indices {
        append(
          series.name, series.isReference ? "reference" : "data", series.x[index],
          [series.y[index], series.low?[index], series.high?[index]])
      }
    }
    if let shade = chart.shade {
      for (x, share) in zip(shade.x, shade.shares) { append(shade.name, "shade", x, [share, nil, nil]) }
    }
    for mark in chart.marks { append(mark.label, "mark", mark.x, [nil, nil, nil]) }
    columns =
      ["series", "kind"] + (categories == nil ? [] : ["category"]) + ["x", "y"]
      + (hasIntervals ? ["low", "high"] : [])
    (self.labels, self.rows) = (labels, rows)
  }

  /// Columns `row, column, mark, value`, row by row; `mark` is empty where the cell has none.
  init(_ map: HeatMap) {
    columns = ["row", "column", "mark", "value"]
    var (labels, rows) = ([[String]](), [[Double?]]())
    for (row, values) in map.values.enumerated() {
      for (column, value) in values.enumerated() {
        let marks = map.marks.filter { $0.row == row && $0.column == column }.map(\.label)
        labels.append([map.rows[row], map.columns[column], marks.joined(separator: "; ")])
        rows.append([value])
      }
    }
    (self.labels, self.rows) = (labels, rows)
  }

  /// RFC 4180 with line feeds: full precision, independent of locale, empty where there is no value. Text that a spreadsheet
  /// would calculate has an apostrophe in front; see `CSVCell`.
  public var csv: String {
    var text = columns.joined(separator: ",") + "\n"
    for (labels, numbers) in zip(labels, rows) {
      let fields = labels.map(CSVCell.field) + numbers.map { number in number.map { "\($0)" } ?? "" }
      text += fields.joined(separator: ",") + "\n"
    }
    return text
  }
}
