import ArgumentParser
import FathomRuns
import FathomStorage
import FathomYAMLText
import Yams

/// A YAML file whose keys are the names of flags: `min-confidence: 1`.
///
/// Its entries become arguments, so that the flags' parser checks names, types and ranges, and suggests the
/// nearest name for one that it does not know.
enum ConfigurationFile {
  static func file(_ path: String) -> SettingsFile { SettingsFile(kind: "configuration", path: path) }

  static func flags(at path: String) throws(FathomError) -> EvaluationFlags {
    try flags(EvaluationFlags.self, entries(at: path), at: path, of: "fathom evaluate")
  }

  /// The flags that the entries of a file stand for.
  ///
  /// - Parameter command: Where the flags are listed.
  static func flags<Flags: ParsableArguments>(
    _ type: Flags.Type, _ entries: [(name: String, value: String)], at path: String, of command: String
  ) throws(FathomError) -> Flags {
    let arguments = entries.map { turned($0.name, $0.value, type) ?? "--\($0.name)=\($0.value)" }
      .filter { !$0.isEmpty }
    func refused(_ message: String) -> FathomError {
      file(path).unusable(
        message.hasSuffix(".") ? String(message.dropLast()) : message,
        "the keys are the names of the flags in '\(command) --help', without '--'")
    }
    do {
      return try Flags.parse(OptionWords(arguments, of: DeclaredOption.all(of: Flags.self)).words)
    } catch let fault as OptionWords.Fault {
      throw refused(String(fault.description.dropFirst(2)))
    } catch {
      throw refused(Flags.message(for: error).replacing("'--", with: "'"))
    }
  }

  /// The lines of a file, in order.
  static func entries(at path: String) throws(FathomError) -> [(name: String, value: String)] {
    let file = file(path)
    let text = try file.text
    let document: Node?
    do {
      document = try YAMLText.document(text)
    } catch {
      throw file.unusable(error.reason, "mend the YAML")
    }
    // A file of comments sets nothing.
    let isEmpty = document?.scalar?.string.isEmpty ?? (document == nil)
    guard let mapping = document?.mapping ?? (isEmpty ? [:] : nil) else {
      throw file.unusable(
        "it is not a list of 'name: value' lines", "write, say, 'min-confidence: 1'")
    }
    var entries: [(name: String, value: String)] = []
    for (key, value) in mapping {
      guard let name = key.string, let text = Self.argument(value) else {
        throw file.unusable(
          "the value of '\(key.string ?? "?")' is neither a value nor a list of values",
          "write, say, 'confidence-weights: [0, 0.05, 1]'")
      }
      entries.append((name, text))
    }
    return entries
  }

  /// `objects: false` is `--no-objects`; nil for what is no flag without a value.
  private static func turned<Flags: ParsableArguments>(
    _ name: String, _ text: String, _ type: Flags.Type
  ) -> String? {
    guard text == "true" || text == "false" else { return nil }
    let isNegative = name.hasPrefix("no-")
    let positive = isNegative ? String(name.dropFirst(3)) : name
    if (try? Flags.parse(["--no-\(positive)"])) != nil {
      return "--" + (isNegative == (text == "true") ? "no-" : "") + positive
    }
    // A flag that can only be set.
    guard (try? Flags.parse(["--\(name)"])) != nil else { return nil }
    return text == "true" ? "--\(name)" : ""
  }

  private static func argument(_ node: Node) -> String? {
    if let sequence = node.sequence {
      let parts = sequence.compactMap(\.scalar?.string)
      return parts.count == sequence.count ? parts.joined(separator: ",") : nil
    }
    return node.scalar?.string
  }
}
