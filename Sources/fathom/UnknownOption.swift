import ArgumentParser
import FathomPlainText

/// An option that a command does not have, and what was probably meant.
struct UnknownOption: CustomStringConvertible {
  let description: String  // "there is no option '--strict' here; 'fathom diagnose' has it"

  /// The first one among the words; nil where the command has all of them.
  init?(in words: some Sequence<String>, of command: any ParsableCommand.Type) {
    let known = Self.options(of: command)
    // A word with blanks is the value of an option that takes options.
    let typed = words.prefix { $0 != "--" }.filter { word in
      word.hasPrefix("--") && !word.contains(" ") || word.contains(#/^-[A-Za-z]$/#)
    }.map { word in String(word.prefix { $0 != "=" }) }
    guard let word = typed.first(where: { !known.contains($0) }) else { return nil }
    let owners = Fathom.configuration.subcommands.filter { Self.options(of: $0).contains(word) }
      .map { "'fathom \($0._commandName)'" }
    let usual = Self.synonyms[word].flatMap { known.contains($0) ? $0 : nil }
    let near = usual ?? EditDistance.suggestion(for: word, among: known.sorted())
    let advice: String? =
      if let usual {
        "did you mean '\(usual)'?"
      } else if let near, owners.isEmpty || EditDistance.between(word, near) <= 2 {
        "did you mean '\(near)'?"
      } else if owners.isEmpty {
        nil
      } else {
        "\(owners.joined(separator: ", ")) \(owners.count == 1 ? "has" : "have") it"
      }
    description = "there is no option '\(word)' here\(advice.map { "; \($0)" } ?? "")"
  }

  /// What others call our options.
  private static let synonyms = [
    "--pred": "--prediction", "--preds": "--prediction", "--predictions": "--prediction",
    "--estimate": "--prediction", "--gt": "--truth", "--ground-truth": "--truth", "--target": "--truth",
    "--targets": "--truth", "--scale": "--depth-scale", "--depth-factor": "--depth-scale",
    "--k": "--intrinsics", "--camera": "--intrinsics", "--out": "--output", "-o": "--output",
  ]

  /// As its help names them, the hidden ones, too.
  static func options(of command: any ParsableCommand.Type) -> Set<String> {
    let help = command.helpMessage(includeHidden: true)
    return Set(help.matches(of: #/--[a-z0-9][a-z0-9-]*/#).map { String($0.output) })
  }
}
