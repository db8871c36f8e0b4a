import FathomTables
import DepthEvaluation

extension DisplayTable: Codable {
  private enum Key: String, CodingKey { case columns, rows }

  /// - Throws: `DecodingError`, also where a row has more or fewer cells than there are columns.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let columns = try values.decode([Column].self, forKey: .columns)
    let rows = try values.decode([[Cell]].self, forKey: .rows)
    if let wrong = rows.firstIndex(where: { $0.count != columns.count }) {
      throw DecodingError.dataCorruptedError(
        forKey: .rows, in: values,
        debugDescription: "row \(wrong) has \(rows[wrong].count) cells for \(columns.count) columns")
    }
    self.init(columns: columns, cells: rows)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(columns, forKey: .columns)
    try values.encode(rows, forKey: .rows)
  }
}

extension DisplayTable.Column: Codable {
  private enum Key: String, CodingKey { case title, direction, isNumeric, source, target }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let title = try values.decode(String.self, forKey: .title)
    let direction = try values.decodeIfPresent(Metric.Direction.self, forKey: .direction)
    // The title is stored with its arrow, for those who read it.
    let name = direction.map { String(title.dropLast($0.arrow.count + 1)) } ?? title
    self.init(name, direction, numeric: try values.decode(Bool.self, forKey: .isNumeric))
    source = try values.decodeIfPresent(Source.self, forKey: .source)
    target = try values.decodeIfPresent(String.self, forKey: .target)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(title, forKey: .title)
    try values.encodeIfPresent(direction, forKey: .direction)
    try values.encode(isNumeric, forKey: .isNumeric)
    try values.encodeIfPresent(source, forKey: .source)
    try values.encodeIfPresent(target, forKey: .target)
  }
}

extension DisplayTable.Cell: Codable {
  private enum Key: String, CodingKey {
    case text, interval, value, low, high, isBest, isPartial, target, anchor
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let text = try values.decode(String.self, forKey: .text)
    let interval = try values.decodeIfPresent(String.self, forKey: .interval)
    // The text is stored with its interval, for those who read it.
    self.init(interval.map { String(text.dropLast($0.count + 1)) } ?? text)
    self.interval = interval
    value = try values.decodeIfPresent(Double.self, forKey: .value)
    low = try values.decodeIfPresent(Double.self, forKey: .low)
    high = try values.decodeIfPresent(Double.self, forKey: .high)
    isBest = try values.decodeIfPresent(Bool.self, forKey: .isBest)
    isPartial = try values.decodeIfPresent(Bool.self, forKey: .isPartial)
    target = try values.decodeIfPresent(String.self, forKey: .target)
    anchor = try values.decodeIfPresent(String.self, forKey: .anchor)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(text, forKey: .text)
    try values.encodeIfPresent(interval, forKey: .interval)
    try values.encodeIfPresent(value, forKey: .value)
    try values.encodeIfPresent(low, forKey: .low)
    try values.encodeIfPresent(high, forKey: .high)
    try values.encodeIfPresent(isBest, forKey: .isBest)
    try values.encodeIfPresent(isPartial, forKey: .isPartial)
    try values.encodeIfPresent(target, forKey: .target)
    try values.encodeIfPresent(anchor, forKey: .anchor)
  }
}
