import FathomTables
public import FathomPlainText

/// Turns a table with a row per metric back into rows that a ``ResultLinter`` can compare: neighbouring rows
/// that agree in every column before `metric` are values of the same pixels.
public struct MetricRows: Sendable {
  /// Values that belong together.
  public struct Group: Sendable {
    /// Names of the metrics, as columns: "abs_rel_measured"; `subject` first.
    public let header: [String]
    public let row: CSVRow
    /// Number of the first row, from 1, and how many there are.
    public let first: Int, count: Int

    /// What of it cannot be.
    public var violations: [ResultLinter.Violation] {
      ResultLinter(header: header).violations(in: row, number: first)
    }
  }

  private let metric: Int, value: Int, support: Int?, statistic: Int?
  private var subject: [String]?
  private var names: [String] = [], cells: [String] = [], first = 1, number = 0

  /// - Returns: nil for a table that has a column per metric, or none.
  public init?(header: [String]) {
    guard let metric = header.firstIndex(of: metricID), let value = header.firstIndex(of: valueID) else {
      return nil
    }
    (self.metric, self.value) = (metric, value)
    (support, statistic) = (header.firstIndex(of: supportID), header.firstIndex(of: "statistic"))
  }

  /// Takes a row in.
  /// - Returns: The group that ended before it.
  public mutating func add(_ row: [String]) -> Group? {
    let own = Array(row[..<metric])
    var ended: Group?
    if own != subject {
      ended = finish()
      (subject, first) = (own, number + 1)
    }
    number += 1
    // What two methods differ by is not a value of either.
    guard statistic.map({ row[$0] != SummaryTable.Statistic.difference.rawValue }) ?? true else {
      return ended
    }
    let pixels = support.map { row[$0] } ?? ""
    names.append(row[metric] + (pixels.isEmpty || pixels == "all" ? "" : "_" + pixels))
    cells.append(row[value])
    return ended
  }

  /// The group that is not ended yet.
  public mutating func finish() -> Group? {
    defer { (names, cells) = ([], []) }
    guard let subject, number >= first, !names.isEmpty else { return nil }
    let label = subject.filter { !$0.isEmpty && Double($0) == nil }.prefix(3).joined(separator: ", ")
    return Group(
      header: ["subject"] + names, row: CSVRow([label] + cells), first: first, count: number - first + 1)
  }
}
