import FathomDocuments
import DepthCore
import DepthEvaluation
import DepthVerdicts
import FathomPlainText

/// The line that stands before all others where a run's input is more likely wrong than a method bad.
struct InputDoubtWords {
  let run: EvaluationRun, verdict: RunVerdict
  private var rules: EvaluationProtocol { run.plan.rules }

  /// Empty where nothing is doubtful.
  var lines: [AnswerBlock.Line] {
    guard let doubts = verdict.doubts, !doubts.isEmpty else { return [] }
    return [.init("Doubt", doubts.map(sentence).joined(separator: " "))]
  }

  /// What has no error, as tables call it.
  private var faultless: (name: String, error: Double)? {
    InputDoubt.faultless(verdict.ranking, verdict.baseline).map {
      (run.name(of: $0.method).literal, $0.error)
    }
  }

  /// "living, living-2 and 1 more have the same errors in every frame"
  private var copies: String {
    let groups = InputDoubt.copies(run)
    let first = groups.first ?? []
    let names = first.prefix(2).map(\.literal).joined(separator: " and ")
    let others = groups.map { $0.count - 1 }.reduce(0, +) - 1
    return "\(names) have the same errors to the last digit"
      + (others > 0
        ? ", and so \(others == 1 ? "has" : "have") \(counted(others, "other \(run.sceneWord)"))" : "")
  }

  private func sentence(_ doubt: InputDoubt) -> String {
    switch doubt {
    case .errorsAboveDepth:
      "**The input is probably wrong**: the mean error is larger than the depth itself (AbsRel above 100 %). Look at the units of "
        + (verdict.data.hasLidar
          ? "LiDAR, truth and predictions, and at numbers that stand for no depth: `fathom diagnose` names them."
          : "truth and predictions, and at numbers that stand for no depth.")
    case .baselineWithoutError:
      "**The truth is probably the input itself**: \(faultless?.name ?? "") has \(faultless?.error == 0 ? "no error at all" : "an error below 0.001 mm"). Look at which files are the truth."
    case .copiedScenes:
      "**\(run.sceneWord.capitalizedFirst)s are copies**: \(copies). They count several times: leave out all but one, with `\(flag: "scenes")`."
    case .truthOutsideRange:
      "**No truth counts**: all of it lies outside of \(rules.minDepth.typed) to \(rules.maxDepth?.typed ?? "inf") m. Look "
        + "at its unit, or change the range with `\(flag: "min-truth")` and `\(flag: "max-truth")`."
    }
  }
}
