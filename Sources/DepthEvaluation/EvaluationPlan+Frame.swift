public import DepthCore
internal import DepthFusion

extension EvaluationPlan {
  /// Runs every method on one frame and scores it. A pure function of its arguments, whatever the thread.
  ///
  /// - Parameters:
  ///   - history: The frames before, newest first; see ``historyLength``.
  ///   - keepsPredictions: Whether the records keep their maps, which are large.
  public func evaluate(
    _ frame: DepthFrame, of scene: SceneContext, history: [DepthFrame] = [], keepsPredictions: Bool = false
  ) -> [FrameRecord] {
    var scorer = FrameScorer(frame, rules)
    if scorer?.hasPixels != true { scorer = nil }
    var pathScorer = paths.flatMap { PathScorer(frame, $0) }
    var records = fuse(frame, of: scene, history: history)
    if scorer == nil {
      let lack = frame.truth == nil ? "the scene has no truth" : "no truth pixel in range"
      for index in records.indices where records[index].fusion.status == .ok {
        records[index].fusion.status = .noTruth
        records[index].fusion.note(lack)
      }
    }
    for index in records.indices
    where records[index].fusion.status == .ok && records[index].fusion.prediction?.unit ?? .metres != .metres {
      records[index].fusion.status = .degenerate
      records[index].fusion.note("relative: give an alignment")
    }
    let predicted = records.indices.filter {
      records[$0].fusion.status == .ok && records[$0].fusion.prediction != nil
    }
    let predictions = predicted.compactMap { records[$0].fusion.prediction }
    let scores = scorer?.scores(of: predictions) ?? []
    for (index, (prediction, scores)) in zip(predicted, zip(predictions, scores)) {
      if let scores {
        records[index].take(scores)
      } else {
        records[index].fusion.note("the protocol gives it no value")
      }
      records[index].alternatives = pathScorer?.values(of: prediction) ?? []
    }
    if !keepsPredictions {
      for index in records.indices { records[index].fusion.prediction = nil }
    }
    return records
  }

  /// Runs every method on one frame; the records keep their maps and have no scores.
  ///
  /// - Parameter history: The frames before, newest first; see ``historyLength``.
  public func fuse(
    _ frame: DepthFrame, of scene: SceneContext, history: [DepthFrame] = []
  ) -> [FrameRecord] {
    var context = FusionContext(
      options: options, relativeKind: scene.relativeKind, truthRange: rules.fittedRange)
    context.outputSize = frame.truth?.size
    context.history = history
    context.cameraConvention = scene.header.cameraConvention
    let input = LidarSource(frame, context)
    let frameID = scene.header.frameID(frame.index)
    var seen: Set<String> = []
    let stored = scene.header.predictions.map(\.name)
    return methods.flatMap { $0.resolved(stored: stored) }.compactMap { selection in
      let method = selection.method(for: scene.relativeKind)
      // "ols" and "ols@disparity" are one method on a disparity scene.
      guard seen.insert(method.id).inserted else { return nil }
      var generator = SplitMix64(seed: seed, stream: scene.header.name, frameID, method.id)
      let clock = ContinuousClock()
      let start = clock.now
      let fusion =
        method.role.needsLidar && !frame.hasLidar
        ? FusionResult(status: .noLidar, reason: "the scene has no LiDAR")
        : input.fuse(method, in: context, using: &generator)
      let elapsed = start.duration(to: clock.now)
      return FrameRecord(
        scene: scene.name, frameIndex: frame.index, frame: frameID, method: method.id,
        space: fusion.space ?? method.space,
        role: method.role, fusion: fusion, values: [], breakdowns: [:],
        fusionSeconds: elapsed / .seconds(1))
    }
  }
}

extension FusionResult {
  /// Adds to the reason.
  fileprivate mutating func note(_ words: String) {
    reason = [reason, words].compactMap { $0 }.joined(separator: "; ")
  }
}
