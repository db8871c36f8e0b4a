/// The rows of a table: held, or made one after the other each time that they are gone through.
public struct DataRows: Sequence, Sendable, Equatable {
  public typealias Row = [DataTable.Cell]
  public let count: Int
  private let make: @Sendable () -> AnyIterator<Row>
  public init(_ rows: [Row] = []) { self.init(count: rows.count) { AnyIterator(rows.makeIterator()) } }

  /// - Parameter make: Makes so many rows, and the same each time.
  private init(count: Int, make: @escaping @Sendable () -> AnyIterator<Row>) {
    (self.count, self.make) = (count, make)
  }

  /// A row for each element.
  public init<Elements: Sequence & Sendable>(
    of elements: Elements, count: Int, _ row: @escaping @Sendable (Elements.Element) -> Row
  ) { self.init(count: count) { AnyIterator(elements.lazy.map(row).makeIterator()) } }

  public var isEmpty: Bool { count == 0 }
  public var underestimatedCount: Int { count }
  public var first: Row? { first { _ in true } }
  public func makeIterator() -> AnyIterator<Row> { make() }

  /// The same rows, changed.
  /// - Parameter change: Gets the position of a row, from 0, and the row.
  package func mapping(_ change: @escaping @Sendable (Int, Row) -> Row) -> DataRows {
    DataRows(count: count) { [self] in AnyIterator(lazy.enumerated().map(change).makeIterator()) }
  }

  package static func + (first: DataRows, second: DataRows) -> DataRows {
    DataRows(count: first.count + second.count) {
      let (a, b) = (first.makeIterator(), second.makeIterator())
      return AnyIterator { a.next() ?? b.next() }
    }
  }

  public static func == (left: DataRows, right: DataRows) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }
}
