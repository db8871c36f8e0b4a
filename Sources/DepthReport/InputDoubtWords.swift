import FathomDocuments
import DepthCore
import DepthEvaluation
import DepthVerdicts
import FathomPlainText

/// The line that stands before all others where a run's input is more likely wrong than a method bad.
struct InputDoubtWords {
  let verdict: RunVerdict, rules: EvaluationProtocol
  let faultless: String  // What has no error, as tables call it.

  /// Empty where nothing is doubtful.
  var lines: [AnswerBlock.Line] {
    guard let doubts = verdict.doubts, !doubts.isEmpty else { return [] }
    return [.init("Doubt", doubts.map(sentence).joined(separator: " "))]
  }

  private func sentence(_ doubt: InputDoubt) -> String {
    switch doubt {
    case .errorsAboveDepth:
      "**The input is probably wrong**: the mean error is larger than the depth itself (AbsRel above 100 %). Look at the units of "
        + (verdict.data.hasLidar
          ? "LiDAR, truth and predictions, and at numbers that stand for no depth: `fathom diagnose` names them."
          : "truth and predictions, and at numbers that stand for no depth.")
    case .baselineWithoutError:
      "**The truth is probably the input itself**: \(faultless) has no error at all. Look at which files are the truth."
    case .truthOutsideRange:
      "**No truth counts**: all of it lies outside of \(rules.minDepth.typed) to \(rules.maxDepth?.typed ?? "inf") m. Look "
        + "at its unit, or change the range with `\(flag: "min-truth")` and `\(flag: "max-truth")`."
    }
  }
}
