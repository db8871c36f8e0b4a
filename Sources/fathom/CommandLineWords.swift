import FathomCommandLine
import ArgumentParser
import DepthMapSets
import FathomPlainText
import Foundation

/// What was typed behind `fathom`.
struct CommandLineWords {
  let command: String  // "fathom evaluate": what help there is.
  private let words: [String], subcommand: (any ParsableCommand.Type)?

  init(_ words: [String]) {
    // The parser has a word of its own for the help of options that it leaves out otherwise.
    self.words = words.map { $0 == "--help-all" ? "--help-hidden" : $0 }
    subcommand = Fathom.configuration.subcommands.first { $0._commandName == words.first }
    command = ["fathom", subcommand?._commandName].compactMap { $0 }.joined(separator: " ")
  }

  /// Parses them.
  /// - Throws: `OptionProblem` and `Failure` `.usage` for what the parser would take in silence or explain badly; what the parser throws.
  func parse() throws -> any ParsableCommand {
    // The parser answers these, whatever else is there.
    let answered = ["--help", "-h", "--help-hidden", "--version"]
    guard !words.contains(where: answered.contains), words.first != "help" else {
      let topic = words.first == "help" ? words.dropFirst().first { !$0.hasPrefix("-") } : nil
      if let topic, !Fathom.configuration.subcommands.contains(where: { $0._commandName == topic }) {
        throw unknown(topic)
      }
      return try Fathom.parseAsRoot(words)
    }
    guard let subcommand else {
      if let first = words.first, !first.hasPrefix("-") { throw unknown(first) }
      return try Fathom.parseAsRoot(words)
    }
    let options = try OptionWords(Array(words.dropFirst()), of: DeclaredOption.all(of: subcommand))
    do {
      return try Fathom.parseAsRoot(words.prefix(1) + options.words)
    } catch {
      // The parser may complain of something else first, of an argument that is missing for instance.
      guard let word = UnknownOption(in: words.dropFirst(), of: subcommand) else { throw error }
      throw Failure(usage: word.description, of: command)
    }
  }

  private func unknown(_ word: String) -> Failure {
    let paths = Array(words.prefix { !$0.hasPrefix("-") })
    if !paths.isEmpty, paths.allSatisfy(FileManager.default.fileExists(atPath:)) {
      let line =
        MapFolders(paths)?.command ?? "fathom evaluate \(words.map(\.shellQuoted).joined(separator: " "))"
      return Failure(usage: "the command is missing: '\(line)'", of: command)
    }
    let known = Fathom.configuration.subcommands.map { $0._commandName }
    return Failure(
      usage: "there is no command '\(word)'; \(EditDistance.advice(for: word, among: known))", of: command)
  }
}
