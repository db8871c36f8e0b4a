import Foundation
import SwiftCSV

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

  public var description: String {
    "cannot read \(path): \(reason); \(advice)".split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

/// A CSV file of anyone's results, as text.
public struct ResultTable: Sendable {
  public let header: [String]
  public let rows: [[String]]

  /// Comma, semicolon or tab between the cells, whatever the file uses; quotes as in RFC 4180.
  ///
  /// - Parameter allowsNoRows: Whether column names alone are a table, too.
  public init(readingFrom path: String, allowsNoRows: Bool = false) throws(ResultTableError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ResultTableError(
        path: path, reason: "it does not exist", advice: "check the path", isMissing: true)
    }
    guard let data = FileManager.default.contents(atPath: path),
      let text = String(data: data, encoding: .utf8)
    else {
      throw ResultTableError(
        path: path, reason: "it is not UTF-8 text", advice: "export it as CSV", isMissing: false)
    }
    do throws(Malformed) {
      self = try ResultTable(text, allowsNoRows: allowsNoRows)
    } catch {
      throw ResultTableError(
        path: path, reason: error.reason, advice: "give a CSV file with one line of column names",
        isMissing: false)
    }
  }

  struct Malformed: Error { let reason: String }

  init(_ text: String, allowsNoRows: Bool = false) throws(Malformed) {
    guard text.count(where: { $0 == "\"" }).isMultiple(of: 2) else {
      throw Malformed(reason: "a quoted field is not closed")
    }
    var lines: [[String]] = []
    do {
      // The parser drops an empty last cell where the last line is not ended.
      let csv = try EnumeratedCSV(string: text + "\n", loadColumns: false)
      try csv.enumerateAsArray(startAt: 0, rowLimit: nil) { lines.append($0) }
    } catch {
      throw Malformed(reason: "it is not CSV (\(error))")
    }
    lines.removeAll { $0.allSatisfy { $0.allSatisfy(\.isWhitespace) } }
    guard let head = lines.first else { throw Malformed(reason: "it is empty") }
    guard allowsNoRows || lines.count > 1 else { throw Malformed(reason: "it has no rows") }
    if let index = lines.firstIndex(where: { $0.count != head.count }) {
      throw Malformed(
        reason: "row \(index) has \(lines[index].count) cells under \(head.count) column names")
    }
    header = head
    rows = Array(lines.dropFirst())
  }
}
