import DepthEvaluation
import FathomTables
import DepthCore
import DepthFusion
public import DepthVerdicts
import FathomPlainText

/// A row of a run that held a value that cannot be, whatever the data: a fault of Fathom, never of the data.
public struct ImpossibleRow: Codable, Sendable, Equatable {
  /// "frames.csv".
  public var table: String
  /// Which row, and what in it cannot be.
  public var problem: String
}

/// A run and its tables after a check that no value is impossible.
///
/// A row that cannot be loses its values, says why, and counts in no mean; everything else is kept, because it was hours of
/// somebody's work.
public struct CheckedRun: Sendable {
  /// The run without the values of ``impossible`` rows.
  public let run: EvaluationRun
  public let tables: RunTables
  /// What the run shows.
  public let verdict: RunVerdict
  public let impossible: [ImpossibleRow]

  /// - Parameter jobs: Tables that are looked at at the same time.
  public init(_ found: EvaluationRun, jobs: Int = 1) {
    let first = found.checked(jobs: jobs)
    if first.impossible.contains(where: { $0.table == FrameTable.fileName }) {
      // What a frame cannot have counts in no mean: all that was made of it is made anew.
      let (kept, faults) = found.withoutImpossibleFrames(jobs: jobs)
      let others = kept.checked(jobs: jobs)
      (run, tables, impossible) = (kept, others.tables, faults + others.impossible)
      verdict = others.verdict
    } else {
      (run, tables, impossible, verdict) = (found, first.tables, first.impossible, first.verdict)
    }
  }
}

extension EvaluationRun {
  /// The run without the values of frames that cannot be, and those frames' rows.
  fileprivate func withoutImpossibleFrames(jobs: Int) -> (run: EvaluationRun, impossible: [ImpossibleRow]) {
    var faults: [ImpossibleRow] = []
    let linter = ResultLinter(header: NonMetricColumn.header)
    var rejected: [Int: FrameRecord] = [:]
    for (index, record) in records.enumerated() {
      let violations = linter.violations(ofOwn: NonMetricColumn.row(record), NonMetricColumn.header)
      guard let first = violations.first else { continue }
      let place = "\(record.scene)/\(record.frame), \(record.method)"
      faults.append(
        ImpossibleRow(table: FrameTable.fileName, problem: "row \(index + 1) (\(place)), \(first.words)"))
      var changed = record
      changed.reject(because: "a fault of fathom: \(first.words)")
      rejected[index] = changed
    }
    let run = EvaluationRun(
      plan: plan, scenes: scenes, records: records.replacing(rejected), baseline: baseline,
      unreadable: unreadable, jobs: jobs
    ) { objects }
    return (run, faults)
  }
}

extension FrameRecord {
  /// Takes away what was computed and says why.
  fileprivate mutating func reject(because reason: String) {
    (fusion.status, fusion.reason) = (.impossible, reason)
    (values, breakdowns, alternatives) = ([], [:], [])
    (pixels, sparsification, errors, deviation) = (nil, nil, nil, nil)
  }
}

extension EvaluationRun {
  private enum Looked: Sendable {
    case verdict(RunVerdict), table(rows: Set<Int>, faults: [ResultLinter.Violation])
  }

  /// The tables without the numbers of rows that cannot be, those rows, and the verdict. What a row is about stays, and its counts.
  fileprivate func checked(jobs: Int) -> (tables: RunTables, impossible: [ImpossibleRow], verdict: RunVerdict)
  {
    let tables = RunTables(self)
    let files = tables.files
    // The longest first: who is done with one takes the next. The verdict goes through all rows, too.
    let order = files.indices.sorted { (-files[$0].table.rows.count, $0) < (-files[$1].table.rows.count, $1) }
    let looked = concurrentMap(1 + order.count, threads: jobs) { number -> Looked in
      guard number > 0 else { return .verdict(RunVerdict(self)) }
      let found = files[order[number - 1]].table.impossibleRows()
      return .table(rows: found.rows, faults: found.faults)
    }
    guard case .verdict(let verdict) = looked[0] else { preconditionFailure("the verdict is the first") }
    var (faults, kept) = ([ImpossibleRow](), files)
    for (index, found) in zip(order, looked.dropFirst()).sorted(by: { $0.0 < $1.0 }) {
      guard case .table(let rejected, let found) = found, !rejected.isEmpty else { continue }
      let (name, table) = files[index]
      faults += found.map { ImpossibleRow(table: name, problem: $0.description) }
      let rows = table.rows.mapping { index, row in
        rejected.contains(index) ? row.map { if case .number = $0 { .empty } else { $0 } } : row
      }
      kept[index].table = DataTable(of: table.unit, table.meanings, rows)
    }
    return (faults.isEmpty ? tables : RunTables(files: kept), faults, verdict)
  }
}

extension DataTable {
  /// Positions of the rows that cannot be, and what is wrong with each, or with each group of rows that belong together.
  fileprivate func impossibleRows() -> (rows: Set<Int>, faults: [ResultLinter.Violation]) {
    var (rejected, faults) = (Set<Int>(), [ResultLinter.Violation]())
    let columns = columns
    guard var groups = MetricRows(header: columns) else {
      let linter = ResultLinter(header: columns)
      for (index, row) in rows.enumerated() {
        guard let first = linter.violations(ofOwn: row, columns, number: index + 1).first else { continue }
        faults.append(first)
        rejected.insert(index)
      }
      return (rejected, faults)
    }
    func check(_ group: MetricRows.Group?) {
      guard let group, let first = group.violations.first else { return }
      faults.append(first)
      rejected.formUnion(group.first - 1..<group.first - 1 + group.count)
    }
    for row in rows { check(groups.add(row.map(Self.plain))) }
    check(groups.finish())
    return (rejected, faults)
  }
}

extension ResultLinter {
  /// Violations of a row of our own tables.
  fileprivate func violations(
    ofOwn row: [DataTable.Cell], _ columns: [String], number: Int = 1
  ) -> [Violation] {
    if isPossible({ Self.number(row[$0], columns[$0], isMetric: $1) }) { return [] }
    // Names and reasons are free text: a scene may be called "nan".
    let cells = zip(columns, row).map { Self.free.contains($0) ? "" : DataTable.plain($1) }
    return violations(in: CSVRow(cells), number: number)
  }

  /// The number of a cell; NaN for a text that is to be read before anything can be said.
  private static func number(_ cell: DataTable.Cell, _ column: String, isMetric: Bool) -> Double? {
    switch cell {
    case .number(let value): value
    case .integer(let value): Double(value)
    case .text(let text): isPlain(text, isMetric: isMetric) || free.contains(column) ? nil : .nan
    case .empty: nil
    }
  }

  /// Whether the first letters of a text tell that it stands for no number, and in a column of numbers that it is none.
  private static func isPlain(_ text: String, isMetric: Bool) -> Bool {
    guard let first = text.utf8.first else { return true }
    switch first {
    case UInt8(ascii: "i"), UInt8(ascii: "I"): return !isMetric
    case UInt8(ascii: "n"), UInt8(ascii: "N"): return text.utf8.dropFirst().first == UInt8(ascii: "o")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): return true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return !isMetric
    default: return false
    }
  }

  private static let free: Set = ["scene", "frame", "method", "class", "label", "reason"]
}
