/// Any JSON, as it was written: integers stay integers, numbers keep their digits.
enum JSONValue: Codable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  /// Seeds need all 64 bits.
  case unsigned(UInt64)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .list(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }

  /// One object per row. A column is one of numbers where every cell is written as Swift writes numbers, so that
  /// "007" stays a name; names of scenes, frames and methods always do.
  init(_ table: ResultTable) {
    let names: Set = ["scene", "frame", "method", "label", "class", "bin"]
    let isNumeric = table.header.indices.map { column in
      !names.contains(table.header[column])
        && table.rows.allSatisfy { column >= $0.count || Self.number($0[column]) != nil }
    }
    self = .list(
      table.rows.map { row in
        .object(
          Dictionary(
            zip(table.header.indices, row).map { column, cell in
              (table.header[column], isNumeric[column] ? Self.number(cell) ?? .null : cell.isEmpty ? .null : .text(cell))
            }, uniquingKeysWith: { first, _ in first }))
      })
  }

  /// nil for what is no number; JSON knows no infinity.
  private static func number(_ cell: String) -> JSONValue? {
    if cell.isEmpty || ["inf", "-inf", "nan"].contains(cell) { return .null }
    if let value = Int(cell), "\(value)" == cell { return .integer(value) }
    if let value = Double(cell), "\(value)" == cell, value.isFinite { return .number(value) }
    return nil
  }
}
