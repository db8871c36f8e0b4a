package import DepthCore
import Foundation
import FathomPlainText

/// The scenes that somebody asks for: names and patterns (*, ?, [a-z]), with commas between them or one by one.
public struct SceneChoice: Sendable, Hashable {
  /// As they were given.
  public let words: [String]
  public static let all = SceneChoice([])
  public init(_ words: [String]) { self.words = words }
  /// What was asked for, in one line; nil where all scenes were.
  public var description: String? { words.isEmpty ? nil : words.joined(separator: ",") }

  /// The names that were asked for.
  ///
  /// A word is first taken whole, so that a name with a comma or a bracket in it can be given; a name counts before a pattern.
  /// - Throws: `OptionProblem` for the first word that no name matches.
  package func chosen(among names: [String]) throws(OptionProblem) -> Set<String> {
    guard !words.isEmpty else { return Set(names) }
    var chosen: Set<String> = []
    for word in words {
      let whole = Self.matches(of: word, among: names)
      if !whole.isEmpty {
        chosen.formUnion(whole)
        continue
      }
      for part in word.split(separator: ",", omittingEmptySubsequences: false) {
        let part = part.trimmingCharacters(in: .whitespaces)
        let found = Self.matches(of: part, among: names)
        guard !found.isEmpty else { throw Self.unknown(part, among: names) }
        chosen.formUnion(found)
      }
    }
    return chosen
  }

  private static func matches(of word: String, among names: [String]) -> [String] {
    names.contains(word) ? [word] : names.filter { fnmatch(word, $0, 0) == 0 }
  }

  private static func unknown(_ word: String, among names: [String]) -> OptionProblem {
    let listed = names.firstNames(atMost: 12)
    let advice = EditDistance.advice(for: word, among: names, listed: listed)
    return OptionProblem("scenes", "no scene matches '\(word)'; \(advice)")
  }
}

extension [String] {
  /// At most so many names, the last one among them.
  package func firstNames(atMost count: Int) -> String {
    guard self.count > count, let last else { return joined(separator: ", ") }
    return prefix(count - 2).joined(separator: ", ") + ", … \(last) (\(self.count) in all)"
  }
}
