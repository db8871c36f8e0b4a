import DepthReport

/// `fathom evaluate --lint FILE.csv`: refuses tables that no predictions can have.
enum ResultLint {
  /// One line per violation on standard output.
  ///
  /// - Throws: `ResultTableError` for a file that is no table of results, `ImpossibleResults` for violations.
  static func run(_ path: String, console: Console) throws {
    let table = try ResultTable(readingFrom: path)
    let linter = ResultLinter(header: table.header)
    guard !linter.recognized.isEmpty else {
      throw ResultTableError(
        path: path, reason: "no column names a metric (\(table.header.joined(separator: ", ")))",
        advice: "name columns like abs_rel, rmse, mae, delta1, silog, coverage", isMissing: false)
    }
    let violations = linter.violations(in: table.rows)
    for violation in violations { try console.show(violation.description) }
    guard violations.isEmpty else { throw ImpossibleResults(path: path, count: violations.count) }
    try console.show(
      "\(path): nothing impossible in \(table.rows.count) rows; checked \(linter.recognized.joined(separator: ", "))"
    )
  }
}

/// A table holds values that cannot be.
struct ImpossibleResults: Error, CustomStringConvertible {
  let path: String
  let count: Int

  var description: String {
    "\(path) holds \(count) impossible value\(count == 1 ? "" : "s"): the table is wrong, or its columns are not what their names say"
  }
}
