/// A value per row and column in colours of the viridis map.
public struct HeatMap: Sendable, Equatable {
  /// A cell worth pointing at: the best one, the specified one. It is outlined, and the legend says its name.
  public struct Mark: Sendable, Equatable {
    /// From the top, from 0.
    public let row: Int
    /// From the left, from 0.
    public let column: Int
    /// Marks with the same label look the same.
    public let label: String

    public init(row: Int, column: Int, label: String) {
      (self.row, self.column, self.label) = (row, column, label)
    }
  }

  /// Stem of the figure's files, unique within a report.
  public let name: String
  /// One line above the figure.
  public let title: String
  /// What the figure shows, for those who cannot see it.
  public let alt: String
  /// What to look for, without numbers; nil where the alternative text says that, too.
  public let caption: String?
  /// What the columns are; their places follow from their order, so that a range and a logarithm have no meaning here.
  public let x: ChartAxis
  public let columns: [String]
  /// What the rows are; the first row is at the top.
  public let y: ChartAxis
  public let rows: [String]
  /// `values[row][column]`; nil, or not finite, is missing and drawn as a struck-through grey cell.
  public let values: [[Double?]]
  /// What the colours mean. A value beyond its `range` takes the colour of the nearer end.
  public let value: ChartAxis
  public let marks: [Mark]

  /// - Precondition: one row of values per name in `rows`, one value per name in `columns`; every mark is inside.
  public init(
    _ name: String, title: String, alt: String, x: ChartAxis, columns: [String], y: ChartAxis, rows: [String],
    values: [[Double?]], value: ChartAxis, marks: [Mark] = [], caption: String? = nil
  ) {
    precondition(values.count == rows.count, "one row of values per name")
    precondition(values.allSatisfy { $0.count == columns.count }, "one value per column")
    precondition(
      marks.allSatisfy { rows.indices.contains($0.row) && columns.indices.contains($0.column) },
      "every mark is on a cell")
    (self.name, self.title, self.alt, self.caption) = (name, title, alt, caption)
    (self.x, self.columns, self.y, self.rows) = (x, columns, y, rows)
    (self.values, self.value, self.marks) = (values, value, marks)
  }
}
