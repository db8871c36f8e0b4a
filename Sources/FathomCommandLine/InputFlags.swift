public import ArgumentParser
public import FathomRuns
import FathomStorage

/// Lists of data sets, for commands that take many.
package struct InputFlags: ParsableArguments {
  package init() {}
  @Option(
    help:
      "File with more inputs, one per line; - for standard input. Empty lines and lines that begin with # are ignored.",
    completion: .file()) package var inputsFrom: String?
  @Option(
    help: "File with inputs to skip, one per line: a path, a file name or a pattern.", completion: .file())
  package var excludeFrom: String?
  package var isEmpty: Bool { inputsFrom == nil && excludeFrom == nil }  // Whether no list is given.

  /// - Throws: `ValidationError` where neither an argument nor a list names an input.
  package func check(_ data: [String]) throws {
    guard !data.isEmpty || inputsFrom != nil else {
      throw ValidationError("Missing expected argument '<data> ...'")
    }
  }

  /// The inputs that arguments and lists name.
  /// - Throws: `FathomError` where a list cannot be read, a pattern fits nothing, or nothing is left.
  package func paths(_ data: [String], mapping: String? = nil) throws -> [String] {
    let listed = try inputsFrom.map { try InputList.words(in: $0) } ?? []
    let excluded = try excludeFrom.map { try InputList.words(in: $0) } ?? []
    let paths = try InputList.paths(data + listed, leavingOut: excluded, mapping: mapping)
    guard !paths.isEmpty else {
      throw FathomError(
        .noInput, attempted: "find", place: inputsFrom ?? data.joined(separator: ", "),
        reason: "no input is left", advice: "check the lists")
    }
    return paths
  }
}

extension ScenePart: ExpressibleByArgument { public init?(argument: String) { self.init(argument) } }
extension PredictedTime: ExpressibleByArgument {}
