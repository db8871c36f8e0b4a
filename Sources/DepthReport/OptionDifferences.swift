import FathomStorage
import DepthFusion

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

  private static func flat(_ options: some Encodable) -> [String: String] {
    JSONValue(encoding: options)?.flattened ?? [:]
  }
}
