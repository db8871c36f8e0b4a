import Foundation

/// Finds values that no set of predictions can have, whatever the data.
///
/// Rounded tables are judged fairly: rounding keeps the order of two numbers with equally many decimals, and a
/// difference of half a unit in the last place is allowed where the decimals differ. A cell with fewer than three
/// decimals counts as written without trailing zeros.
public struct ResultLinter: Sendable {
  /// One impossible value or pair of values.
  public struct Violation: Sendable, Equatable, CustomStringConvertible {
    /// From 1, without the head.
    public let row: Int
    /// What the row is about: its first cells of text.
    public let label: String
    /// Heads of the columns involved.
    public let columns: [String]
    /// The values and why they cannot be.
    public let problem: String

    public var description: String {
      "row \(row)\(label.isEmpty ? "" : " (\(label))"), \(columns.joined(separator: " and ")): \(problem)"
    }
  }

  private let header: [String]
  private let columns: [ResultColumn?]

  /// - Parameter header: Names of the columns.
  public init(header: [String]) {
    self.header = header
    columns = header.map(ResultColumn.init)
  }

  /// Heads that were recognised as metrics.
  public var recognized: [String] { header.indices.filter { columns[$0] != nil }.map { header[$0] } }

  /// All violations, row by row.
  public func violations(in rows: [[String]]) -> [Violation] {
    rows.enumerated().flatMap { index, row in
      let label = row.indices.filter { $0 < columns.count && columns[$0] == nil }.map { row[$0] }
        .filter { !$0.isEmpty && Double($0) == nil }.prefix(3).joined(separator: ", ")
      return check(row).map {
        Violation(row: index + 1, label: label, columns: $0.columns, problem: $0.problem)
      }
    }
  }

  private typealias Finding = (columns: [String], problem: String)

  private func check(_ row: [String]) -> [Finding] {
    var findings: [Finding] = []
    var cells: [Place: Cell] = [:]
    for (index, text) in row.enumerated() where index < header.count {
      if Self.isNaN(text) {
        findings.append(
          ([header[index]], "'\(text)' is no value; a value that does not exist is an empty cell"))
        continue
      }
      guard let column = columns[index], let number = PrintedNumber(text) else { continue }
      let cell = Cell(
        head: header[index], text: text, value: number.value * column.scale,
        unit: number.lastPlace * column.scale)
      if let problem = Self.limit(column.quantity, cell) { findings.append(([cell.head], problem)) }
      let place = Place(quantity: column.quantity, support: column.support)
      if cells[place] == nil, cell.value.isFinite { cells[place] = cell }
    }
    for support in Set(cells.keys.map(\.support)).sorted() {
      findings += orders { cells[Place(quantity: $0, support: support)] }
    }
    return findings
  }

  /// What a single value may be.
  private static func limit(_ quantity: ResultColumn.Quantity, _ cell: Cell) -> String? {
    guard cell.value.isFinite else { return "\(cell.text) is not finite; a mean over valid pixels is" }
    switch quantity {
    case .bias: return nil
    case .coverage, .delta:
      guard cell.value < -1e-9 || cell.value > 1 + 1e-9 else { return nil }
      return "\(cell.text) is a share of pixels outside 0…1 (write % in the head where it is a percentage)"
    default:
      return cell.value < 0 ? "\(cell.text) is negative; a mean of magnitudes cannot be" : nil
    }
  }

  /// What two values of the same pixels may be.
  private func orders(_ cell: (ResultColumn.Quantity) -> Cell?) -> [Finding] {
    var findings: [Finding] = []
    func require(
      _ small: Cell?, atMost large: Cell?, factor: Double = 1, _ relation: String, _ reason: String
    ) {
      guard let small, let large else { return }
      guard abs(small.value) * factor > large.value + Self.tolerance(small, factor, large) else { return }
      findings.append(([small.head, large.head], "\(small.text) and \(large.text): \(relation); \(reason)"))
    }
    require(
      cell(.mae), atMost: cell(.rmse), "MAE > RMSE", "a root mean square is at least the mean magnitude")
    require(cell(.bias), atMost: cell(.mae), "|bias| > MAE", "the mean error is at most the mean magnitude")
    let quantiles: [(String, ResultColumn.Quantity)] = [
      ("median", .medianAE), ("P90", .p90AE), ("P95", .p95AE),
    ].filter { cell($0.1) != nil }
    for (lower, upper) in zip(quantiles, quantiles.dropFirst()) {
      require(
        cell(lower.1), atMost: cell(upper.1), "\(lower.0) > \(upper.0)", "quantiles grow with their share")
    }
    let exponents = [0.5, 1, 2, 3].filter { cell(.delta(exponent: $0)) != nil }
    for (lower, upper) in zip(exponents, exponents.dropFirst()) {
      require(
        cell(.delta(exponent: lower)), atMost: cell(.delta(exponent: upper)),
        "δ\(Self.short(lower)) > δ\(Self.short(upper))", "a wider tolerance holds at least as many pixels")
    }
    require(
      cell(.silog), atMost: cell(.rmseLog), factor: 0.01, "SILog/100 > RMSE log",
      "a standard deviation is at most the root mean square")
    return findings
  }

  private static func short(_ exponent: Double) -> String { exponent == 0.5 ? "½" : "\(Int(exponent))" }

  private static func tolerance(_ small: Cell, _ factor: Double, _ large: Cell) -> Double {
    let (first, second) = (small.unit * factor, large.unit)
    let rounding = abs(first - second) > 1e-3 * max(first, second) ? max(first, second) / 2 : 0
    return rounding * (1 + 1e-9) + 1e-9 * max(abs(small.value) * factor, abs(large.value))
  }

  private static func isNaN(_ text: String) -> Bool {
    ["nan", "nan(ind)"].contains(text.lowercased().filter { !$0.isWhitespace && $0 != "-" && $0 != "+" })
  }

  private struct Place: Hashable {
    let quantity: ResultColumn.Quantity
    let support: String
  }

  private struct Cell {
    let head: String
    let text: String
    let value: Double
    /// One unit of the last decimal.
    let unit: Double
  }
}

/// A number as tables print it: "0.061", "**12.3**", "95.1 %", "0,043", "1.2e-3", "0.061 ± 0.002".
struct PrintedNumber: Equatable {
  let value: Double
  /// One unit of the last decimal, at most 0.001.
  let lastPlace: Double

  init?(_ text: String) {
    var plain = text.prefix { !"±([".contains($0) }.filter { !"*†‡_".contains($0) && !$0.isWhitespace }
      .replacing("−", with: "-")
    let isPercent = plain.hasSuffix("%")
    if isPercent { plain.removeLast() }
    if !plain.contains("."), plain.count(where: { $0 == "," }) == 1 {
      plain = plain.replacing(",", with: ".")
    }
    if plain == "∞" || plain == "-∞" { plain = plain.replacing("∞", with: "inf") }
    guard let number = Double(plain), !number.isNaN else { return nil }
    let parts = plain.lowercased().split(separator: "e")
    let decimals = parts.first?.split(separator: ".").dropFirst().first?.count ?? 0
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let scale = isPercent ? 0.01 : 1
    value = number * scale
    lastPlace = pow(10, Double(exponent - max(3, decimals))) * scale
  }
}
