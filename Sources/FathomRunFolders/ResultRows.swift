public import FathomPlainText

/// The rows of a table of results one after another, as many as its head has columns.
public struct ResultRows: ~Copyable {
  public let header: [String]
  /// The last row that was read.
  public private(set) var row: CSVRow
  /// How many were read, without the head.
  public private(set) var count: Int
  private var reader: CSVReader
  /// A table with a head and nothing below it.
  public static let noRows = CSVFault("it has no rows")

  /// Reads the head.
  public init(readingFrom path: String) throws(CSVFault) {
    self = try Self.below(CSVReader(readingFrom: path))
  }

  public init(_ text: String) throws(CSVFault) { self = try Self.below(CSVReader(text)) }

  private init(_ header: [String], _ reader: consuming CSVReader) {
    (self.header, row, count) = (header, CSVRow(), 0)
    self.reader = reader
  }

  private static func below(_ reader: consuming CSVReader) throws(CSVFault) -> ResultRows {
    var head = CSVRow()
    guard try reader.next(&head) else { throw CSVFault("it is empty") }
    return ResultRows(head.texts, reader)
  }

  /// Reads the next row.
  /// - Returns: false at the end.
  public mutating func next() throws(CSVFault) -> Bool {
    guard try reader.next(&row) else { return false }
    count += 1
    guard row.count == header.count else {
      throw CSVFault("row \(count) has \(row.count) cells under \(header.count) column names", line: row.line)
    }
    return true
  }
}
