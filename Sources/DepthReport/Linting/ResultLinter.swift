public import PlainText

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
  private let columns: [ResultColumn?]
  /// Quantities that the head has, each on its pixels; where two columns hold the same, the first number counts.
  private let places: [Place]
  /// Which of ``places`` each column belongs to.
  private let placeOfColumn: [Int?]
  private let ladders: [Ladder]

  /// - Parameter header: Names of the columns.
  public init(header: [String]) {
    self.header = header
    columns = header.map(ResultColumn.init)
    var numbers: [Place: Int] = [:]
    var places: [Place] = []
    placeOfColumn = columns.map { column in
      guard let column else { return nil }
      let place = Place(quantity: column.quantity, support: column.support)
      if let number = numbers[place] { return number }
      numbers[place] = places.count
      places.append(place)
      return places.count - 1
    }
    self.places = places
    ladders = Set(places.map(\.support)).sorted().map { support in
      Ladder { numbers[Place(quantity: $0, support: support)] }
    }
  }

  /// Heads that were recognised as metrics.
  public var recognized: [String] { header.indices.filter { columns[$0] != nil }.map { header[$0] } }

  /// Names that stand over more than one column: nobody can tell which one counts.
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
  ///
  /// - Parameter number: Of the row, from 1.
  public func violations(in row: CSVRow, number: Int) -> [Violation] {
    let findings = check(row)
    guard !findings.isEmpty else { return [] }
    let label = (0..<min(row.count, columns.count)).lazy.filter { columns[$0] == nil }.map { row.text($0) }
      .filter { !$0.isEmpty && Double($0) == nil }.prefix(3).joined(separator: ", ")
    return findings.map {
      Violation(row: number, label: label, columns: $0.columns, problem: $0.problem)
    }
  }

  private typealias Finding = (columns: [String], problem: String)

  private func check(_ row: CSVRow) -> [Finding] {
    var findings: [Finding] = []
    var cells = [Cell?](repeating: nil, count: places.count)
    for index in 0..<min(row.count, header.count) {
      if row.withBytes(of: index, Self.isNaN) {
        findings.append(
          ([header[index]], "'\(row.text(index))' is no value; a value that does not exist is an empty cell"))
        continue
      }
      guard let column = columns[index], let place = placeOfColumn[index],
        let number = row.withBytes(of: index, { PrintedNumber($0) })
      else { continue }
      let cell = Cell(
        column: index, value: number.value * column.scale, unit: number.lastPlace * column.scale)
      if let problem = Self.limit(column.quantity, cell.value) {
        findings.append(([header[index]], "\(row.text(index)) \(problem)"))
      }
      if cells[place] == nil, cell.value.isFinite { cells[place] = cell }
    }
    for ladder in ladders {
      findings += orders(ladder, row) { $0.flatMap { cells[$0] } }
    }
    return findings
  }

  /// What a single value may be; nil where it may.
  private static func limit(_ quantity: ResultColumn.Quantity, _ value: Double) -> String? {
    guard value.isFinite else { return "is not finite; a mean over valid pixels is" }
    switch quantity {
    case .bias: return nil
    case .coverage, .delta:
      guard value < -1e-9 || value > 1 + 1e-9 else { return nil }
      return "is a share of pixels outside 0…1 (write % in the head where it is a percentage)"
    default:
      return value < 0 ? "is negative; a mean of magnitudes cannot be" : nil
    }
  }

  /// What two values of the same pixels may be.
  private func orders(_ ladder: Ladder, _ row: CSVRow, _ cell: (Int?) -> Cell?) -> [Finding] {
    var findings: [Finding] = []
    func require(
      _ small: Cell?, atMost large: Cell?, factor: Double = 1, _ relation: @autoclosure () -> String,
      _ reason: String
    ) {
      guard let small, let large else { return }
      guard abs(small.value) * factor > large.value + Self.tolerance(small, factor, large) else { return }
      let texts = "\(row.text(small.column)) and \(row.text(large.column))"
      findings.append(
        ([header[small.column], header[large.column]], "\(texts): \(relation()); \(reason)"))
    }
    func requireChain(_ chain: [(name: String, place: Int)], _ reason: String) {
      // A row may lack values that others have: what is there is compared with the next that is there.
      var lower: (name: String, cell: Cell)?
      for (name, place) in chain {
        guard let upper = cell(place) else { continue }
        if let lower { require(lower.cell, atMost: upper, "\(lower.name) > \(name)", reason) }
        lower = (name, upper)
      }
    }
    require(
      cell(ladder.mae), atMost: cell(ladder.rmse), "MAE > RMSE",
      "a root mean square is at least the mean magnitude")
    require(
      cell(ladder.bias), atMost: cell(ladder.mae), "|bias| > MAE",
      "the mean error is at most the mean magnitude")
    requireChain(ladder.quantiles, "quantiles grow with their share")
    requireChain(ladder.deltas, "a wider tolerance holds at least as many pixels")
    require(
      cell(ladder.silog), atMost: cell(ladder.rmseLog), factor: 0.01, "SILog/100 > RMSE log",
      "a standard deviation is at most the root mean square")
    return findings
  }

  private static func tolerance(_ small: Cell, _ factor: Double, _ large: Cell) -> Double {
    let (first, second) = (small.unit * factor, large.unit)
    let rounding = abs(first - second) > 1e-3 * max(first, second) ? max(first, second) / 2 : 0
    return rounding * (1 + 1e-9) + 1e-9 * max(abs(small.value) * factor, abs(large.value))
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

  private struct Place: Hashable {
    let quantity: ResultColumn.Quantity
    let support: String
  }

  /// Places of the quantities whose order is known, all of the same pixels; those that the head has.
  private struct Ladder {
    let mae: Int?, rmse: Int?, bias: Int?, silog: Int?, rmseLog: Int?
    /// From the smallest on.
    let quantiles: [(name: String, place: Int)], deltas: [(name: String, place: Int)]

    init(_ place: (ResultColumn.Quantity) -> Int?) {
      (mae, rmse, bias) = (place(.mae), place(.rmse), place(.bias))
      (silog, rmseLog) = (place(.silog), place(.rmseLog))
      quantiles = [("median", .medianAE), ("P90", .p90AE), ("P95", .p95AE)].compactMap {
        (name: String, quantity: ResultColumn.Quantity) in place(quantity).map { (name, $0) }
      }
      deltas = [("δ½", 0.5), ("δ1", 1), ("δ2", 2), ("δ3", 3)].compactMap { (name: String, exponent: Double) in
        place(.delta(exponent: exponent)).map { (name, $0) }
      }
    }
  }

  private struct Cell {
    let column: Int
    let value: Double
    /// One unit of the last decimal.
    let unit: Double
  }
}
