package import DepthCore
public import DepthExport
import DepthObjects
import FathomPlainText

/// Which boxes are drawn: where they come from.
public typealias BoxChoice = BoxGroup.Origin

extension BoxGroup.Origin {
  /// Reads "none" or a comma-separated list of methods and "truth"; duplicates count once.
  /// - Throws: `OptionProblem` for the first word that names nothing.
  package static func parse(_ text: String) throws(OptionProblem) -> [BoxChoice] {
    if text == "none" { return [] }
    var choices: [BoxChoice] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      let choice: BoxChoice = word == "truth" ? .truth : .method(word)
      guard word == "truth" || BoxMethod.all.contains(where: { $0.id == word }) else {
        let advice = EditDistance.advice(for: word, among: BoxMethod.all.map(\.id) + ["truth", "none"])
        throw OptionProblem("boxes", "there is no '\(word)'; \(advice)")
      }
      if !choices.contains(choice) { choices.append(choice) }
    }
    return choices
  }

  /// As the user writes it.
  var name: String {
    switch self {
    case .truth: "truth"
    case .method(let id): id
    }
  }

  /// Whether the seed changes its boxes.
  package var isRandom: Bool {
    guard case .method(let id) = self else { return false }
    return BoxMethod.all.contains { $0.id == id && $0.isRandom }
  }
}
