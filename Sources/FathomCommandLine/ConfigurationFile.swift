package import ArgumentParser
import FathomPlainText
package import FathomRuns
package import FathomStorage
import FathomYAMLText
import Yams

/// A YAML file whose keys are the names of options: `min-confidence: 1`.
package struct ConfigurationFile {
  package let file: SettingsFile
  package let entries: [(name: String, value: String)]  // Its lines, in order.

  package init(_ path: String) throws(FathomError) {
    try self.init(SettingsFile(kind: "configuration", path: path))
  }

  /// - Throws: `FathomError` `.noInput` where it cannot be read, `.badData` where it is not a list of names with values.
  package init(_ file: SettingsFile) throws(FathomError) {
    let text = try file.text
    let document: Node?
    do {
      document = try YAMLText.document(text)
    } catch {
      throw file.unusable("\(error.reason)", "fix the YAML")
    }
    // A file of comments sets nothing.
    let isEmpty = document?.scalar?.string.isEmpty ?? (document == nil)
    guard let mapping = document?.mapping ?? (isEmpty ? [:] : nil) else {
      throw file.unusable("it is not a list of 'name: value' lines", "write, say, 'min-confidence: 1'")
    }
    var entries: [(name: String, value: String)] = []
    for (key, value) in mapping {
      guard let name = key.string, let text = Self.text(value) else {
        throw file.unusable(
          "the value of '\(key.string ?? "?")' is neither a value nor a list of values",
          "write, say, 'confidence-weights: [0, 0.05, 1]'")
      }
      entries.append((name, text))
    }
    (self.file, self.entries) = (file, entries)
  }

  /// A value, or values with commas between them; nil for anything else.
  private static func text(_ node: Node) -> String? {
    if let sequence = node.sequence {
      let parts = sequence.compactMap(\.scalar?.string)
      return parts.count == sequence.count ? parts.joined(separator: ",") : nil
    }
    return node.scalar?.string
  }

  /// What the file says of the options of a command.
  /// - Parameter command: Where the options are listed: "fathom evaluate".
  /// - Throws: `FathomError` `.badData` for the first value that its option does not take, then for a name that no option has.
  package func options(_ type: any ParsableArguments.Type, of command: String) throws(FathomError)
    -> GivenOptions
  {
    func refused(_ reason: Wording) -> FathomError {
      file.unusable(reason, "the keys are the names of the flags in '\(command) --help', without '--'")
    }
    let known = DeclaredOption.all(of: type)
    var texts: [String: String] = [:]
    var unknown: [String] = []
    for (name, text) in entries {
      // `no-objects: true` is `objects: false`.
      let turned = name.hasPrefix("no-") ? String(name.dropFirst(3)) : nil
      let flag = known.first { $0.value == nil && [name, turned].contains($0.key) }
      if let flag {
        guard let isOn = Bool(text) else {
          throw refused("The option '\(name)' does not take any value, but '\(text)' was specified")
        }
        texts[flag.key] = "\(isOn == (flag.key == name))"
      } else if let option = known.first(where: { $0.key == name }) {
        if let problem = option.objection(to: text) { throw refused("\(name): \(problem)") }
        texts[name] = text
      } else {
        unknown.append(name)
      }
    }
    guard let name = unknown.first else { return GivenOptions(texts) }
    let names = known.flatMap { $0.value == nil ? [$0.key, "no-" + $0.key] : [$0.key] }
    let near = names.map { (name: $0, distance: EditDistance.between(name, $0)) }
      .min { $0.distance < $1.distance }
    let advice = near.flatMap { $0.distance < Self.slip ? " (did you mean '\($0.name)'?)" : nil }
    throw refused("there is no key '\(name)'\(advice ?? "")")
  }

  private static let slip = 4  // Names that differ in fewer letters may be meant: the parser's number.
}
