package import DepthCore
import FathomPlainText

/// Words of a command line, checked for what the parser would take in silence or explain badly.
///
/// An option that is given twice counts twice or is refused: the parser takes the last one and drops the first without a word. A value
/// that begins with a hyphen is a value: the parser says that it is missing.
package struct OptionWords {
  package private(set) var words: [String] = []  // The words as the parser is to see them.

  package init(_ words: [String], of options: [DeclaredOption]) throws(OptionProblem) {
    let known = Dictionary(options.map { ($0.name, $0) }) { first, _ in first }
    var given: [String: String] = [:]
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      if word == "--" {
        self.words.append(word)
        self.words += words[index...]
        return
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let name = parts.first, let option = known[name], let type = option.value else {
        self.words.append(word)
        continue
      }
      var value = parts.count == 2 ? parts[1] : nil
      if value == nil {
        let takesOptions = type is ForwardedOptions.Type
        value = index < words.count && (takesOptions || Self.isValue(words[index])) ? words[index] : nil
        index += value == nil ? 0 : 1
      }
      guard let value else {
        throw OptionProblem(OptionName(option.key), "a value is missing\(Self.needs(type))")
      }
      if !option.collects, let first = given.updateValue(value, forKey: name) {
        let values = first == value ? "'\(value)' each time" : "as '\(first)' and as '\(value)'"
        throw OptionProblem(OptionName(option.key), "it is given twice, \(values); give it once")
      }
      if let problem = option.objection(to: value) {
        throw OptionProblem(OptionName(option.key), "\(problem)")
      }
      // With its option in one word, or one that begins with a hyphen would be taken for another option. An empty one the
      // parser takes as a word of its own only.
      self.words += value.isEmpty ? [name, value] : ["\(name)=\(value)"]
    }
  }

  private static func needs(_ type: Any.Type) -> String {
    (type as? any DescribedArgument.Type).map { "; it needs \($0.grammar)" } ?? ""
  }

  /// Numbers may begin with a hyphen, and "-" stands for standard output.
  private static func isValue(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word != "-" else { return true }
    return word.dropFirst().first.map { $0.isNumber || $0 == "." } == true || Double(word) != nil
  }
}
