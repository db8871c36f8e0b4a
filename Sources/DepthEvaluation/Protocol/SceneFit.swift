import DepthCore
import DepthFusion

extension EvaluationPlan {
  /// Rules under which all frames of a scene have one fit to the truth.
  var sceneRules: [EvaluationProtocol] {
    ([rules.ofPixels] + (paths?.rules ?? [])).filter {
      $0.alignment.extent == .scene && $0.alignment.fit != .none
    }.firstAppearances
  }

  /// Fits the predictions of a scene to its truth, all frames at once, in a pass of its own before they are scored.
  /// Nothing where no protocol asks for it.
  /// - Throws: What `read` throws.
  func align<Failure: Error>(
    _ scene: inout SceneContext, frames: Range<Int>, jobs: Int, isolation: isolated (any Actor)?,
    read: (Int) throws(Failure) -> DepthFrame
  ) async throws(Failure) {
    let rules = sceneRules
    guard !rules.isEmpty else { return }
    let context = scene
    var history = FrameHistory(length: historyLength)
    // By rules, then by method.
    var found: [[String: (space: Space, sums: AlignmentSums)]] = rules.map { _ in [:] }
    try await FrameStream(frames, jobs: jobs).run(isolation: isolation) { (index) throws(Failure) in
      try history.frame(index, past: read, read: read)
    } work: { input in
      sums(of: input.frame, of: context, input.before, under: rules)
    } take: { _, sums in
      for (place, sums) in sums.enumerated() {
        for (method, step, next) in sums {
          found[place][method, default: (step.space, AlignmentSums(step))].sums.merge(next, of: frames.count)
        }
      }
    }
    scene.alignments = Dictionary(
      zip(rules, found).map { rules, found in
        let fits = found.compactMapValues { fit in
          fit.sums.lineOfScene.map { AlignmentFit(line: $0, space: fit.space, pairs: fit.sums.count) }
        }
        return (rules.fingerprint, fits)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// By rules: what the methods predict of a frame, for a fit to its truth.
  private func sums(
    of frame: DepthFrame, of scene: SceneContext, _ history: [DepthFrame], under rules: [EvaluationProtocol]
  ) -> [[(method: String, step: AlignmentStep, sums: AlignmentSums)]] {
    let records = fuse(frame, of: scene, history: history)
    return rules.map { rules in
      guard var scorer = FrameScorer(frame, rules) else { return [] }
      return records.compactMap { record in
        guard record.fusion.status == .ok, let prediction = record.fusion.prediction,
          let step = rules.alignment.step(for: prediction.unit)
        else { return nil }
        return (record.method, step, scorer.sums(step, of: prediction))
      }
    }
  }
}
