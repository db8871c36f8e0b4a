import FathomPlainText
import DepthCore
import DepthFusion
import DepthVerdicts
import FathomStorage

/// Which methods of two runs are compared with each other.
enum MethodPairing {
  /// - Parameter requested: "auto", "ols" for each of its forms, "huber=auto" for different ones; nil for all that both have.
  /// - Throws: `ComparisonRefusal` for a method that a run does not have, or where nothing is left.
  static func pairs(
    _ requested: [String]?, _ reference: StoredRun, _ run: StoredRun, _ labels: (String, String)
  ) throws(ComparisonRefusal) -> [MethodPair] {
    guard let requested else {
      let theirs = Set(run.methods)
      let common = reference.methods.filter(theirs.contains)
      // Two networks that were evaluated apart are what is compared, whatever they are called.
      if common.isEmpty, run.methods.count == 1, reference.methods.count == 1 {
        return [MethodPair(reference: reference.methods[0], candidate: run.methods[0])]
      }
      guard !common.isEmpty else {
        throw ComparisonRefusal(
          .badData,
          "\(labels.1) and \(labels.0) have no method in common; name them: \(option: "methods") A=B")
      }
      return common.map { MethodPair(reference: $0, candidate: $0) }
    }
    var pairs: [MethodPair] = []
    for word in requested {
      let sides = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard sides.count <= 2, !sides.contains("") else {
        throw ComparisonRefusal(.usage, "\(option: "methods"): '\(word)' is neither a method nor A=B")
      }
      let mine = try methods(sides[0], in: reference, labels.0)
      if sides.count == 1 {
        for method in mine {
          guard run.methods.contains(method) else { throw missing(method, labels.1, run) }
          pairs.append(MethodPair(reference: method, candidate: method))
        }
      } else {
        let theirs = try methods(sides[1], in: run, labels.1)
        guard mine.count == 1, theirs.count == 1 else {
          throw ComparisonRefusal(
            .usage, "\(option: "methods"): '\(word)' is more than one pair; name the forms")
        }
        pairs.append(MethodPair(reference: mine[0], candidate: theirs[0]))
      }
    }
    return pairs.firstAppearances
  }

  /// The method of this id, or every form of it.
  private static func methods(
    _ word: String, in run: StoredRun, _ label: String
  ) throws(ComparisonRefusal) -> [String] {
    if run.methods.contains(word) { return [word] }
    let forms = run.methods.filter { MethodCatalogue.familyName(ofID: $0) == word }
    guard !forms.isEmpty else { throw missing(word, label, run) }
    return forms
  }

  private static func missing(_ word: String, _ label: String, _ run: StoredRun) -> ComparisonRefusal {
    ComparisonRefusal(
      .usage,
      "\(option: "methods"): \(label) has no method '\(word)'; it has \(run.methods.joined(separator: ", "))")
  }
}
