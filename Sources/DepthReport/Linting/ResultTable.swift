public import PlainText

/// Why a table of results could not be read.
public struct ResultTableError: Error, Sendable, CustomStringConvertible {
  public let path: String
  public let reason: String
  public let advice: String
  /// The file is not there, rather than not a table.
  public let isMissing: Bool

  public init(path: String, reason: String, advice: String, isMissing: Bool) {
    (self.path, self.reason, self.advice, self.isMissing) = (path, reason, advice, isMissing)
  }

  /// - Parameter fault: Why a file is no CSV file.
  public init(_ path: String, _ fault: CSVFault) {
    self.init(
      path: path, reason: fault.reason,
      advice: fault.isMissing ? "check the path" : "give a CSV file with one line of column names",
      isMissing: fault.isMissing)
  }

  public var description: String { "cannot read \(path): \(reason); \(advice)".visible }
}

/// A CSV file of results that is short enough to be held in memory, as text.
public struct ResultTable: Sendable {
  public let header: [String]
  public let rows: [[String]]

  /// - Parameter allowsNoRows: Whether a head alone is a table.
  /// - Throws: ``ResultTableError``.
  public init(readingFrom path: String, allowsNoRows: Bool = false) throws(ResultTableError) {
    do throws(CSVFault) {
      var lines = try ResultRows(readingFrom: path)
      self = try ResultTable(&lines, allowsNoRows: allowsNoRows)
    } catch {
      throw ResultTableError(path, error)
    }
  }

  /// - Throws: `CSVFault`.
  init(_ text: String, allowsNoRows: Bool = false) throws(CSVFault) {
    var lines = try ResultRows(text)
    self = try ResultTable(&lines, allowsNoRows: allowsNoRows)
  }

  private init(_ lines: inout ResultRows, allowsNoRows: Bool) throws(CSVFault) {
    header = lines.header
    var rows: [[String]] = []
    while try lines.next() { rows.append(lines.row.texts) }
    guard !rows.isEmpty || allowsNoRows else { throw ResultRows.noRows }
    self.rows = rows
  }
}
