public import FathomPlainText
public import FathomStorage

extension FathomError {
  /// Why a table of results could not be read.
  public init(readingTable path: String, _ fault: CSVFault) {
    self.init(
      fault.isMissing ? .noInput : .badData, attempted: "read", place: path, reason: fault.reason,
      advice: fault.isMissing ? "check the path" : "give a CSV file with one line of column names")
  }
}

/// A CSV file of results that is short enough to be held in memory, as text.
public struct ResultTable: Sendable {
  public let header: [String], rows: [[String]]

  /// - Parameter allowsNoRows: Whether a head alone is a table.
  public init(readingFrom path: String, allowsNoRows: Bool = false) throws(FathomError) {
    do throws(CSVFault) {
      var lines = try ResultRows(readingFrom: path)
      self = try ResultTable(&lines, allowsNoRows: allowsNoRows)
    } catch {
      throw FathomError(readingTable: path, error)
    }
  }

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

  /// A table of a stored folder, with or without rows.
  /// - Throws: `FathomError` `.badData` where it is not there or no table.
  public init(_ file: String, of folder: StoredFolder) throws(FathomError) {
    let text = try folder.text(of: file)
    do throws(CSVFault) { self = try ResultTable(text, allowsNoRows: true) } catch {
      throw folder.damaged(file, error.reason)
    }
  }
}
