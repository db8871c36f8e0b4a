import DepthFusion
import Foundation

/// The options of a run that are not the defaults, as the report names them.
enum OptionDifferences {
  /// One line, "maxDepth 3, temporal.lidar smoothed"; nothing where all are defaults.
  static func list(_ options: FusionOptions) -> [String] { list(options, defaults: FusionOptions()) }

  /// The same for any options.
  static func list<Options: Encodable>(_ options: Options, defaults: Options) -> [String] {
    let (found, defaults) = (flat(options), flat(defaults))
    let changed = Set(found.keys).union(defaults.keys).sorted().filter { found[$0] != defaults[$0] }
    guard !changed.isEmpty else { return [] }
    return [changed.map { "\($0) \(found[$0] ?? "none")" }.joined(separator: ", ")]
  }

  /// Every value under its dotted name.
  private static func flat(_ options: some Encodable) -> [String: String] {
    guard let data = try? JSONEncoder().encode(options),
      let value = try? JSONDecoder().decode(Value.self, from: data)
    else { return [:] }
    var result: [String: String] = [:]
    func add(_ value: Value, _ name: String) {
      if case .keyed(let entries) = value {
        for (key, value) in entries { add(value, name.isEmpty ? key : "\(name).\(key)") }
      } else {
        result[name] = value.text
      }
    }
    add(value, "")
    return result
  }

  /// Any JSON. Decoded by type, because a bridged number does not tell true from 1.
  private enum Value: Decodable {
    case single(String)
    case list([Value])
    case keyed([String: Value])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .single("none")
      } else if let flag = try? container.decode(Bool.self) {
        self = .single("\(flag)")
      } else if let number = try? container.decode(Int.self) {
        self = .single("\(number)")
      } else if let number = try? container.decode(Double.self) {
        self = .single("\(number)")
      } else if let text = try? container.decode(String.self) {
        self = .single(text)
      } else if let values = try? container.decode([Value].self) {
        self = .list(values)
      } else {
        self = .keyed(try container.decode([String: Value].self))
      }
    }

    var text: String {
      switch self {
      case .single(let text): text
      case .list(let values): values.map(\.text).joined(separator: "/")
      case .keyed(let entries):
        entries.sorted { $0.key < $1.key }.map { "\($0) \($1.text)" }.joined(separator: " ")
      }
    }
  }
}
