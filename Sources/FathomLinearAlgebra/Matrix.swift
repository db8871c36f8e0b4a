/// A dense real matrix in LAPACK's own layout: column-major, no padding.
public struct Matrix: Sendable, Equatable {
  /// Number of rows, m.
  public let rows: Int
  /// Number of columns, n.
  public let columns: Int
  /// `rows * columns` elements, column by column.
  public var storage: [Double]

  /// - Precondition: `columnMajor.count == rows * columns`, both at least 1.
  public init(rows: Int, columns: Int, columnMajor: [Double]) {
    precondition(rows > 0 && columns > 0, "a matrix has at least one row and one column")
    precondition(columnMajor.count == rows * columns, "a matrix holds rows × columns elements")
    self.rows = rows
    self.columns = columns
    storage = columnMajor
  }

  /// From nested rows, as a matrix is written on paper.
  ///
  /// - Precondition: at least one row; all rows of one length.
  public init(rows nested: [[Double]]) {
    let columns = nested.first?.count ?? 0
    precondition(nested.allSatisfy { $0.count == columns }, "all rows have one length")
    self.init(
      rows: nested.count, columns: columns,
      columnMajor: (0..<columns).flatMap { column in nested.map { $0[column] } })
  }

  public subscript(row: Int, column: Int) -> Double {
    get { storage[column * rows + row] }
    set { storage[column * rows + row] = newValue }
  }
}
