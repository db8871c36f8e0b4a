public import DepthFusion
import FathomPlainText
public import FathomStorage
import FathomRuns
import FathomYAMLText
import Yams

/// A YAML file with what `fathom calibrate` found of a LiDAR; every key may be omitted, not all of them:
///
///     format: fathom-calibration
///     version: 1
///     correction: {scale: 1.002, offset: -0.003}   # d' = scale·d + offset, metres
///     registration: {x: 0.4, y: -0.2}              # LiDAR pixels, towards the relative map
///     confidence-weights: [0.01, 0.1, 1]           # confidence 0, 1, 2
///     noise:                                       # σ(d) = √(a² + (b·d)²), metres, confidence 0, 1, 2
///     - {a: 0.02, b: 0.05}
///     - {a: 0.01, b: 0.016}
///     - {a: 0.004, b: 0.004}
///     deviation:                                   # factors for σ; the line without confidence is for all other pixels
///     - {method: auto, scale: 1.4}
///     - {method: auto, confidence: 2, from: 0.5, to: 1, scale: 1.2}
///     source: …                                    # for people
public enum CalibrationFile {
  private static let format = "fathom-calibration", version = 1
  /// What the file may say, and what below that.
  private static let keys = [
    "correction": ["scale", "offset"], "registration": ["x", "y"], "confidence-weights": [],
    "noise": ["a", "b"], "deviation": ["method", "scale", "confidence", "from", "to"],
  ]
  private static let frame = ["format", "version", "source"]

  /// - Throws: `FathomError` naming the file and the first thing in it that cannot be used.
  public static func calibration(at path: String) throws(FathomError) -> Calibration {
    let file = SettingsFile(kind: "calibration", path: path)
    let text = try file.text
    do {
      let calibration = try decoded(text)
      guard let problem = calibration.firstProblem else { return calibration }
      throw file.unusable("\(problem)", "fix that entry, or write the file again with 'fathom calibrate'")
    } catch let error as FathomError {
      throw error
    } catch let error as UnusableEntry {
      throw file.unusable("\(error.reason)", error.advice)
    } catch {
      throw file.unusable("\(error)", "fix the YAML")
    }
  }

  private static func decoded(_ text: String) throws -> Calibration {
    let shape = UnusableEntry(
      reason: "it holds none of \(keys.keys.sorted().joined(separator: ", "))",
      advice: "write, say, 'noise:' with three lines '- {a: 0.01, b: 0.02}', for confidence 0, 1 and 2")
    guard let document = try YAMLText.document(text), let mapping = document.mapping else { throw shape }
    try check(mapping)
    guard mapping.contains(where: { entry in entry.key.string.map { keys[$0] != nil } ?? false }) else {
      throw shape
    }
    do {
      return try YAMLDecoder().decode(Calibration.self, from: document)
    } catch let error as DecodingError {
      throw UnusableEntry(
        reason: error.words(),
        advice: "write it as 'fathom calibrate' does; 'noise:' has three lines such as '- {a: 0.01, b: 0.02}'"
      )
    }
  }

  /// Names and version.
  private static func check(_ mapping: Node.Mapping) throws {
    for (key, value) in mapping {
      let name = key.string ?? "?"
      switch name {
      case "source": break
      case "format" where value.string != format:
        throw UnusableEntry(
          reason: "its format is '\(value.string ?? "?")', not \(format)",
          advice: "check \(option: "calibration")")
      case "version" where value.int != version:
        throw UnusableEntry(
          reason: "its version is \(value.string ?? "?"); this program reads version \(version)",
          advice: "write the file anew with 'fathom calibrate'")
      default:
        try check(name, among: frame + keys.keys.sorted(), of: "the file")
        for inner in value.sequence.map(Array.init) ?? [value] {
          for (part, _) in inner.mapping ?? [:] {
            try check(part.string ?? "?", among: keys[name] ?? [], of: "'\(name)'")
          }
        }
      }
    }
  }

  private static func check(_ name: String, among known: [String], of place: String) throws {
    guard !known.contains(name) else { return }
    let nearest = EditDistance.suggestion(for: name, among: known)
    throw UnusableEntry(
      reason: "\(place) has an unknown key '\(name)'",
      advice: nearest.map { "did you mean '\($0)'?" }
        ?? (known.isEmpty ? "it takes no keys" : "it takes \(known.joined(separator: ", "))"))
  }
}

/// What is wrong in a file, and what to do about it.
private struct UnusableEntry: Error { var reason: String, advice: Wording }
