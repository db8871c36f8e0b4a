private import Foundation

/// Any JSON. Read by type, because a bridged number does not tell true from 1.
public enum JSONValue: Codable, Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  /// Above `Int.max`: a seed.
  case large(UInt64)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case keyed([String: JSONValue])

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func read<Value: Decodable>(_ kind: (Value) -> JSONValue) -> JSONValue? {
      (try? container.decode(Value.self)).map(kind)
    }
    if container.decodeNil() {
      self = .null
    } else {
      self =
        try read(JSONValue.bool) ?? read(JSONValue.integer) ?? read(JSONValue.large) ?? read(JSONValue.number)
        ?? read(JSONValue.text) ?? read(JSONValue.list) ?? .keyed(container.decode([String: JSONValue].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .integer(let number): try container.encode(number)
    case .large(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let values): try container.encode(values)
    case .keyed(let entries): try container.encode(entries)
    }
  }

  /// A text; nil for anything else.
  public var string: String? { if case .text(let text) = self { text } else { nil } }

  /// What an `Encodable` becomes.
  public init?(encoding value: some Encodable) {
    guard let data = try? JSONEncoder().encode(value),
      let decoded = try? JSONDecoder().decode(JSONValue.self, from: data)
    else { return nil }
    self = decoded
  }

  /// Reads a JSON document.
  /// - Throws: `DecodingError` where it is none.
  public init(text: String) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }

  /// The value of a key; nil in anything but an object.
  public subscript(_ key: String) -> JSONValue? {
    get {
      guard case .keyed(let entries) = self else { return nil }
      return entries[key]
    }
    set {
      guard case .keyed(var entries) = self else { return }
      entries[key] = newValue
      self = .keyed(entries)
    }
  }

  /// The same with the keys that only `defaults` has, at every depth.
  ///
  /// Two objects that share no key are two cases of an enumeration, and no such object has the keys of both.
  public func filled(with defaults: JSONValue) -> JSONValue {
    guard case .keyed(let mine) = self, case .keyed(let others) = defaults,
      mine.isEmpty || !Set(mine.keys).isDisjoint(with: others.keys)
    else { return self }
    return .keyed(mine.merging(others) { $0.filled(with: $1) })
  }

  /// Every value under its dotted name; lists are joined by "/".
  public var flattened: [String: String] {
    var result: [String: String] = [:]
    func add(_ value: JSONValue, _ name: String) {
      if case .keyed(let entries) = value {
        for (key, value) in entries { add(value, name.isEmpty ? key : "\(name).\(key)") }
      } else {
        result[name] = value.words
      }
    }
    add(self, "")
    return result
  }

  private var words: String {
    switch self {
    case .null: "none"
    case .bool(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .large(let number): "\(number)"
    case .number(let number): "\(number)"
    case .text(let text): text
    case .list(let values): values.map(\.words).joined(separator: "/")
    case .keyed(let entries):
      entries.sorted { $0.key < $1.key }.map { "\($0) \($1.words)" }.joined(separator: " ")
    }
  }
}
