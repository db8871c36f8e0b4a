import FathomPlainText
public import DepthCore
public import DepthFusion

extension EvaluationPlan {
  /// Settles how maps without a unit are scored where there is no LiDAR to fit them to: by their kind, unless an
  /// alignment was named or is the protocol's.
  /// - Throws: `OptionProblem` where none was named and there are such maps.
  public mutating func settleAlignment(for scenes: [SceneContext]) throws(OptionProblem) {
    guard rules.alignment.fit == .none else { return }
    let asked = Set(methods.flatMap { $0.resolved(stored: scenes.predictionNames) }.map(\.description))
    let relative = scenes.predictionsWithoutUnit.first { asked.contains(StoredPredictionScoring($0.name).id) }
    guard let relative, let kind = relative.kind else {
      rules.alignment = .none
      return
    }
    if namesAlignment {
      throw OptionProblem(
        "align",
        "'none' takes metric maps only; those of '\(relative.name)' are \(kind.rawValue) and have no unit")
    }
    rules.alignment.fit = .byKind
  }

  /// A prediction as it is scored, metres, for pictures: fitted to the truth by its row's line, and limited.
  /// - Returns: The map as it is where the frame has a LiDAR.
  public func shown(_ record: FrameRecord, _ prediction: Prediction, of frame: DepthFrame) -> DepthMap {
    guard !frame.hasLidar, var scorer = FrameScorer(frame, rules) else { return prediction.depth }
    return scorer.shown(prediction, by: record.fusion.line)
  }
}

extension [SceneContext] {
  /// Predictions that are in no unit, and have no LiDAR that gives them one.
  fileprivate var predictionsWithoutUnit: [StoredPrediction] {
    filter { !$0.header.hasLidar }.flatMap(\.header.predictions).filter {
      $0.kind == .depth || $0.kind == .disparity
    }
  }

  /// Ids of the methods that give those.
  package var methodsWithoutUnit: Set<String> {
    Set(predictionsWithoutUnit.map { StoredPredictionScoring($0.name).id })
  }

  /// Of all scenes, each once.
  fileprivate var predictionNames: [String] { flatMap { $0.header.predictions.map(\.name) }.firstAppearances }
}
