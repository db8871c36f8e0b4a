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
      let object = try? JSONSerialization.jsonObject(with: data)
    else { return [:] }
    var result: [String: String] = [:]
    func add(_ value: Any, _ name: String) {
      switch value {
      case let dictionary as [String: Any]:
        for (key, value) in dictionary { add(value, name.isEmpty ? key : "\(name).\(key)") }
      case let list as [Any]: result[name] = list.map { "\($0)" }.joined(separator: "/")
      default: result[name] = "\(value)"
      }
    }
    add(object, "")
    return result
  }
}
