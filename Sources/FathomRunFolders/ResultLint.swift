import DepthCore
import FathomPlainText
import FathomStorage

/// `fathom evaluate --lint FILE.csv`: refuses tables that no predictions can have.
package enum ResultLint {
  /// One line per violation. The file is read once, row by row, whatever its length.
  /// - Throws: `FathomError` for a file that is not a table of results, `ImpossibleResults` for violations.
  package static func run(_ path: String, show: (String) throws -> Void) throws {
    do {
      try check(path, show)
    } catch let fault as CSVFault {
      throw FathomError(readingTable: path, fault)
    }
  }

  private static let mostShown = 1000  // More violations are counted and not shown.

  private static func check(_ path: String, _ show: (String) throws -> Void) throws {
    var table = try ResultRows(readingFrom: path)
    let linter = ResultLinter(header: table.header)
    var groups = MetricRows(header: table.header)
    guard groups != nil || !linter.recognized.isEmpty else {
      throw FathomError(
        .badData, attempted: "read", place: path,
        reason: "no column names a metric (\(listed(table.header)))",
        advice: "name columns like abs_rel, rmse, mae, delta1, silog, coverage")
    }
    var count = 0
    var recognized = linter.recognized
    func note(_ violations: [ResultLinter.Violation]) throws {
      for violation in violations.prefix(max(0, mostShown - count)) {
        try show(violation.description)
      }
      count += violations.count
    }
    func check(_ group: MetricRows.Group?) throws {
      guard let group else { return }
      let linter = ResultLinter(header: group.header)
      recognized = (recognized + linter.recognized).firstAppearances
      try note(linter.violations(in: group.row, number: group.first))
    }
    try note(linter.doubledColumns)
    while try table.next() {
      try note(linter.violations(in: table.row, number: table.count))
      try check(groups?.add(table.row.texts))
    }
    try check(groups?.finish())
    guard table.count > 0 else { throw ResultRows.noRows }
    if count > mostShown { try show("… and \(count - mostShown) more") }
    guard count == 0 else { throw ImpossibleResults(path: path, count: count) }
    try show("\(path): nothing impossible in \(table.count) rows; checked \(listed(recognized))")
  }

  /// Names of columns; a file may have any number of them.
  private static func listed(_ names: [String]) -> String {
    names.lazy.map { $0.shortened(to: 40) }.listed(atMost: 40)
  }
}

/// A table holds values that cannot be.
package struct ImpossibleResults: Error, CustomStringConvertible {
  package let path: String, count: Int

  package var description: String {
    "\(path) holds \(count) impossible value\(count == 1 ? "" : "s"): the table is wrong, or its columns are not what their names say"
  }
}
