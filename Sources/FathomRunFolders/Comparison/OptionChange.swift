/// An option, version or input that differs between two runs.
public struct OptionChange: Sendable, Hashable {
  /// Dotted name as in `run.json`: "options.maxDepth".
  public let option: String
  /// As written there; nil where it is not set.
  public let reference: String?, value: String?

  /// What determines numbers and differs; by name. What follows from it, and what a run is about, is omitted.
  static func list(
    _ reference: StoredRun, _ run: StoredRun, where isAsked: (String) -> Bool = { _ in true }
  ) -> [OptionChange] {
    let common = Set(reference.methods).intersection(run.methods)
    let names = Set(reference.settings.keys).union(run.settings.keys).sorted()
    return names.compactMap { name in
      let head = String(name.prefix { $0 != "." })
      guard isAsked(name), !described.contains(head), reference.settings[name] != run.settings[name]
      else { return nil }
      if head == "minConfidence", !common.contains(String(name.dropFirst(head.count + 1))) { return nil }
      return OptionChange(option: name, reference: reference.settings[name], value: run.settings[name])
    }
  }

  private static let described: Set<String> = [
    "tool", "inputs", "linearAlgebra", "scenes", "counts", "methods", "protocolStatement",
  ]
}
