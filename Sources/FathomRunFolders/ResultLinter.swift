import DepthEvaluation
public import FathomPlainText

/// Finds values that no set of predictions can have, whatever the data.
///
/// Rounded tables are judged fairly: rounding keeps the order of two numbers with equally many decimals, and a
/// difference of half a unit in the last place is allowed where the decimals differ. A cell with fewer than three
/// decimals counts as written without trailing zeros.
public struct ResultLinter: Sendable {
  /// One impossible value or pair of values.
  public struct Violation: Sendable, Equatable, CustomStringConvertible {
    /// From 1, without the head; 0 for the head.
    public let row: Int
    /// What the row is about: its first cells of text.
    public let label: String
    /// Heads of the columns involved.
    public let columns: [String]
    /// The values and why they cannot be.
    public let problem: String

    /// One line of bounded length, whatever the table holds.
    public var description: String {
      let place = row == 0 ? "head" : "row \(row)"
      let about = label.isEmpty ? "" : " (\(label.shortened(to: 80)))"
      return "\(place)\(about), ".visible + words
    }

    /// The same without the row.
    var words: String {
      let heads = columns.map { $0.shortened(to: 80) }.joined(separator: " and ")
      return "\(heads): \(problem.shortened(to: 300))".visible
    }
  }

  private let header: [String]
  private let columns: [Column?]  // nil for what is not a metric.
  /// How many metrics there are, each on its pixels; where two columns hold the same, the first number counts.
  private let placeCount: Int
  private let chains: [Chain]

  public init(header: [String]) {
    self.header = header
    var places: [Place: Int] = [:]
    columns = header.map { name in
      guard let column = ResultColumn(header: name) else { return nil }
      let place = Place(metric: column.metric, support: column.support)
      let number = places[place] ?? places.count
      places[place] = number
      return Column(place: number, scale: column.scale, limit: Limit(column.metric))
    }
    placeCount = places.count
    let supports = Set(places.keys.map(\.support)).sorted { $0.rawValue < $1.rawValue }
    chains = supports.flatMap { support in
      MetricOrder.all.map { order in Chain(order) { places[Place(metric: $0, support: support)] } }
    }.filter { $0.links.count > 1 }
  }

  /// Heads that were recognised as metrics.
  public var recognized: [String] { header.indices.filter { columns[$0] != nil }.map { header[$0] } }

  /// Names that stand over more than one column: which one counts is unknown.
  public var doubledColumns: [Violation] {
    var places: [String: [Int]] = [:]
    for (index, name) in header.enumerated() where !name.allSatisfy(\.isWhitespace) {
      places[name, default: []].append(index + 1)
    }
    return places.filter { $0.value.count > 1 }.sorted { $0.value[0] < $1.value[0] }.map { name, numbers in
      let listed = numbers.prefix(3).map(String.init).joined(separator: ", ")
      let more = numbers.count > 3 ? " and \(numbers.count - 3) more" : ""
      return Violation(
        row: 0, label: "", columns: [name],
        problem: "columns \(listed)\(more) have this name; no reader can tell which one counts")
    }
  }

  /// All violations of a row.
  /// - Parameter number: Of the row, from 1.
  public func violations(in row: CSVRow, number: Int) -> [Violation] {
    let findings = check(row)
    guard !findings.isEmpty else { return [] }
    let label = (0..<min(row.count, columns.count)).lazy.filter { columns[$0] == nil }.map { row.text($0) }
      .filter { !$0.isEmpty && Double($0) == nil }.prefix(3).joined(separator: ", ")
    return findings.map { Violation(row: number, label: label, columns: $0.columns, problem: $0.problem) }
  }

  /// Whether a row of numbers in full precision is certain to hold nothing impossible, without a look at their digits:
  /// what ``violations(in:number:)`` allows for rounding can only excuse more.
  /// - Parameter number: The number of a cell, by its column and whether that is a metric; nil where there is none, NaN where
  ///   only its letters tell.
  func isPossible(_ number: (_ column: Int, _ isMetric: Bool) -> Double?) -> Bool {
    var cells = [Double?](repeating: nil, count: placeCount)
    for index in columns.indices {
      guard let value = number(index, columns[index] != nil) else { continue }
      guard !value.isNaN else { return false }
      guard let column = columns[index] else { continue }
      let scaled = value * column.scale
      guard column.limit.problem(of: scaled) == nil else { return false }
      if cells[column.place] == nil, scaled.isFinite { cells[column.place] = scaled }
    }
    return chains.allSatisfy { chain in
      var lower: Double?
      for link in chain.links {
        guard let value = cells[link.place] else { continue }
        let size = value * link.factor
        if let lower, lower > size { return false }
        lower = abs(value) * link.factor
      }
      return true
    }
  }

  private typealias Finding = (columns: [String], problem: String)

  private func check(_ row: CSVRow) -> [Finding] {
    var findings: [Finding] = []
    var cells = [Cell?](repeating: nil, count: placeCount)
    for index in 0..<min(row.count, header.count) {
      if row.withBytes(of: index, Self.isNaN) {
        findings.append(
          ([header[index]], "'\(row.text(index))' is not a value; leave a cell empty if there is no value"))
        continue
      }
      guard let column = columns[index], let number = row.withBytes(of: index, { PrintedNumber($0) })
      else { continue }
      let cell = Cell(
        column: index, value: number.value * column.scale, unit: number.lastPlace * column.scale)
      if let problem = column.limit.problem(of: cell.value) {
        findings.append(([header[index]], "\(row.text(index)) \(problem)"))
      }
      if cells[column.place] == nil, cell.value.isFinite { cells[column.place] = cell }
    }
    for chain in chains { findings += disorder(of: chain, row, cells) }
    return findings
  }

  /// What two values of the same pixels cannot be.
  private func disorder(of chain: Chain, _ row: CSVRow, _ cells: [Cell?]) -> [Finding] {
    var findings: [Finding] = []
    // A row may lack values that others have: what is there is compared with the next that is there.
    var lower: (link: Chain.Link, cell: Cell)?
    for link in chain.links {
      guard let cell = cells[link.place] else { continue }
      defer { lower = (link, cell) }
      guard let lower else { continue }
      let (small, factor) = (lower.cell, lower.link.factor)
      let large = cell.value * link.factor
      guard abs(small.value) * factor > large + Self.tolerance(small, factor, cell, link.factor) else {
        continue
      }
      let texts = "\(row.text(small.column)) and \(row.text(cell.column))"
      findings.append(
        (
          [header[small.column], header[cell.column]],
          "\(texts): \(lower.link.name) > \(link.name); \(chain.reason)"
        ))
    }
    return findings
  }

  /// Squares and logarithms are in single precision before they are added.
  private static let singles = 2e-7

  private static func tolerance(
    _ small: Cell, _ smallFactor: Double, _ large: Cell, _ largeFactor: Double
  ) -> Double {
    let (first, second) = (small.unit * smallFactor, large.unit * largeFactor)
    let rounding = abs(first - second) > 1e-3 * max(first, second) ? max(first, second) / 2 : 0
    return rounding * (1 + 1e-9)
      + singles * max(abs(small.value) * smallFactor, abs(large.value) * largeFactor)
  }

  private static func isNaN(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // Most cells are told by their first letter.
    guard bytes.count < 64,
      let first = bytes.first(where: { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") && $0 > 0x20 }),
      first == UInt8(ascii: "n") || first == UInt8(ascii: "N") || first >= 0x80
    else { return false }
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    return ["nan", "nan(ind)"].contains(text.filter { !$0.isWhitespace && $0 != "-" && $0 != "+" })
  }

  private struct Place: Hashable { package let metric: Metric, support: Support }

  /// A column that is a metric.
  private struct Column {
    let place: Int  // Of the metric on its pixels.
    let scale: Double, limit: Limit
  }

  /// What a metric's values can be.
  private struct Limit {
    private let possible: ClosedRange<Double>
    private let slack: Double  // A share is a quotient, which rounding may put beside its end.
    private let isShare: Bool

    init(_ metric: Metric) {
      (possible, isShare) = (metric.possible, metric.unit == .share)
      slack = metric.unit == .share ? 1e-9 : 0
    }

    /// nil for what can be.
    func problem(of value: Double) -> String? {
      guard value.isFinite else { return "is not finite; a mean over valid pixels is" }
      guard value < possible.lowerBound - slack || value > possible.upperBound + slack else { return nil }
      if isShare { return "is a share of pixels outside 0…1 (write % in the head where it is a percentage)" }
      return value < 0 && possible.lowerBound == 0
        ? "is negative; a mean of magnitudes cannot be"
        : "is outside \(possible.lowerBound)…\(possible.upperBound)"
    }
  }

  /// An order of metrics on the same pixels; those that the head has.
  private struct Chain {
    let links: [Link], reason: String
    /// A metric of the order.
    struct Link { let name: String, factor: Double, place: Int }

    init(_ order: MetricOrder, _ place: (Metric) -> Int?) {
      reason = order.reason
      links = order.terms.compactMap { term in
        place(term.metric).map { Link(name: term.name, factor: term.factor, place: $0) }
      }
    }
  }

  private struct Cell {
    let column: Int, value: Double
    let unit: Double  // One unit of the last decimal.
  }
}
