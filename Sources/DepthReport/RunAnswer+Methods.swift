import DepthFusion
import DepthVerdicts
import FathomPlainText

/// Method by method: better or worse by how much, and how its error is made.
extension RunAnswer {
  /// The raw LiDAR, then the methods that were named, networks' maps, and `auto`: better or worse by how much, and how its error is
  /// made.
  public var methods: [String] {
    let ranking = verdict.ranking
    let baseline = ranking.methods.first { $0.ids.contains(verdict.baseline) }
    let anatomy = baseline.flatMap { verdict.anatomy(of: $0.method) }
    let rawMade = anatomy.map(made)
    let raw = baseline.flatMap { method -> String? in
      let rest = withoutDepth(method) + howMade(method, beside: nil)
      // Of a method alone, the answer has said its error.
      guard rawMade != nil, !rest.isEmpty || ranking.methods.count > 1 else { return nil }
      return "`\(name(method.method))`\(role(method)): MAE \(length(method.error)).\(rest)"
    }
    let subjects = verdict.subjects.compactMap { ranking[$0] }.map { method -> String in
      let opening = "`\(name(method.method))`\(role(method)): "
      guard method.framesSolved > 0 else { return opening + "no depth in any \(run.frameWord)." }
      let compared = method.gain
      let against = reference(compared.reference)
      if let obstacle = compared.obstacle {
        return opening
          + "MAE \(length(compared.value)), not compared with \(against): \(words(obstacle, compared))."
          + withoutDepth(method) + howMade(method, beside: rawMade)
      }
      let text =
        switch compared.outcome {
        case .same: "the same MAE as \(against), \(length(compared.value))."
        case .better where isAlike(compared), .worse where isAlike(compared):
          "equal to \(against) at the precision shown: MAE \(length(compared.value)) (\(difference(compared)))."
        case .better: standing("better", otherwise: "less error", against, compared)
        case .worse: standing("worse", otherwise: "more error", against, compared)
        }
      let refused =
        method.bothSolved == nil
        ? "" : " On the \(counted(compared.frames, run.frameWord)) in which both have depth."
      return opening + text + refused + withoutDepth(method) + howMade(method, beside: rawMade)
    }
    return [raw].compactMap(\.self) + subjects
  }

  /// A difference in the words that its interval allows.
  private func standing(_ word: String, otherwise: String, _ against: String, _ compared: ComparisonVerdict)
    -> String
  {
    let isSure =
      !isUntold(compared) && (compared.low.map { $0 > 0 } == true || compared.high.map { $0 < 0 } == true)
    let found = change(compared, naming: false)
    let sentence = "**\(isSure ? word : otherwise)** than \(against), \(found) (\(difference(compared)))"
    if isSure { return sentence + "." }
    return sentence
      + (compared.low == nil || compared.scenes < ContrastVerdict.fewestScenes
        ? "; \(counted(compared.scenes, run.sceneWord)) cannot say whether this holds elsewhere."
        : ", which could be chance.")
  }

  /// How a method's error is made, where that is not what was said of the raw LiDAR's or of the method in question.
  private func howMade(_ method: RankedMethod, beside raw: String?) -> String {
    guard method.method != subject?.method, let anatomy = verdict.anatomy(of: method.method) else {
      return ""
    }
    let own = made(anatomy)
    guard own != raw else { return " Its error is made in the same way." }
    return [pooled(anatomy, beside: method.error), own].filter { !$0.isEmpty }.map { " " + $0 }.joined()
  }

  private func role(_ method: RankedMethod) -> String {
    guard hasLidar else { return isBaselineOfSeveral(method) ? " (the baseline)" : "" }
    if method.ids.contains(verdict.baseline),
      MethodSelection.rawLidar.contains(where: { $0.id == verdict.baseline })
    {
      return " (the raw LiDAR)"
    }
    return method.role == .stored ? " (a prediction in the data)" : ""
  }
}
