public import DepthCore
internal import DepthFusion

extension EvaluationPlan {
  /// Runs every method on one frame and scores it. A pure function of its arguments, whatever the thread.
  /// - Parameters:
  ///   - history: The frames before, newest first; see ``historyLength``.
  ///   - keepsPredictions: Whether the records keep their maps, which are large: those that were fitted to the truth as they
  ///     are scored.
  public func evaluate(
    _ frame: DepthFrame, of scene: SceneContext, history: [DepthFrame] = [], keepsPredictions: Bool = false
  ) -> [FrameRecord] {
    var scorer = FrameScorer(
      frame, rules, of: scene, extended: !scene.header.hasLidar && !frame.hasLidar,
      moments: truthDeviation ?? frame.truthDeviation.map { _ in TruthDeviation() })
    if scorer?.hasPixels != true { scorer = nil }
    var pathScorer = paths.flatMap { PathScorer(frame, $0, of: scene) }
    var records = fuse(frame, of: scene, history: history)
    if scorer == nil {
      let lack = frame.truth == nil ? "the scene has no truth" : "no truth pixel in range"
      for index in records.indices where records[index].fusion.status == .ok {
        records[index].fusion.status = .noTruth
        records[index].fusion.note(lack)
      }
    }
    for index in records.indices where records[index].fusion.status == .ok {
      guard let unit = records[index].fusion.prediction?.unit, unit != .metres,
        rules.alignment.step(for: unit) == nil
      else { continue }
      records[index].fusion.status = .degenerate
      records[index].fusion.note("relative: give an alignment")
    }
    let predicted = records.indices.filter {
      records[$0].fusion.status == .ok && records[$0].fusion.prediction != nil
    }
    let predictions = predicted.compactMap { records[$0].fusion.prediction }
    let scores =
      scorer?.scores(
        of: predictions, by: predicted.map { records[$0].method },
        fusions: predicted.map { records[$0].fusion }) ?? []
    for (index, (prediction, scores)) in zip(predicted, zip(predictions, scores)) {
      records[index].alternatives = pathScorer?.values(of: prediction, by: records[index].method) ?? []
      if let scores {
        records[index].take(scores)
        if !frame.hasLidar, records[index].value(.coverage) == 0 {
          records[index].fusion.status = .degenerate
          records[index].fusion.note(
            prediction.depth.values.contains { $0 > 0 }
              ? "the map has no depth where the truth counts" : "there is no map, or none with depth")
          (records[index].values, records[index].breakdowns) = ([], [:])
          records[index].deviation = nil
          continue
        }
        guard !frame.hasLidar, let fit = scores.alignment else { continue }
        records[index].take(fit, of: prediction.unit)
        guard keepsPredictions, let map = scorer?.shown(prediction, by: fit.line) else { continue }
        records[index].fusion.prediction = Prediction(depth: map, sampling: prediction.sampling)
      } else if prediction.unit == .metres {
        records[index].fusion.note("the protocol gives it no value")
      } else {
        records[index].fusion.status = .degenerate
        records[index].fusion.note("its numbers determine no fit to the truth")
      }
    }
    for index in records.indices {
      (records[index].fusion.deviation, records[index].fusion.confidence) = (nil, nil)
      if !keepsPredictions { records[index].fusion.prediction = nil }
    }
    return records
  }

  /// Runs every method on one frame; the records keep their maps and have no scores.
  /// - Parameter history: The frames before, newest first; see ``historyLength``.
  /// - Parameter deviation: Whether they also say the standard deviation of each pixel, where the method gives one.
  public func fuse(
    _ frame: DepthFrame, of scene: SceneContext, history: [DepthFrame] = [], deviation: Bool = false
  ) -> [FrameRecord] {
    var context = FusionContext(
      options: options, relativeKind: scene.relativeKind, truthRange: rules.fittedRange)
    context.outputSize = frame.truth?.size
    context.history = history
    context.wantsDeviation = deviation
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
      let scales = options.deviationScales?.filter { [method.id, selection.id].contains($0.method) } ?? []
      var context = context
      if !scales.isEmpty { context.wantsDeviation = true }
      var fusion =
        method.role.needsLidar && !frame.hasLidar
        ? FusionResult(status: .noLidar, reason: "the scene has no LiDAR")
        : input.fuse(method, in: context, using: &generator)
      if !scales.isEmpty, let prediction = fusion.prediction, prediction.unit == .metres {
        fusion.deviation = fusion.deviation.map {
          scales.corrected($0, of: prediction.depth, frame.confidence)
        }
      }
      let elapsed = start.duration(to: clock.now)
      return FrameRecord(
        scene: scene.name, frameIndex: frame.index, frame: frameID, method: method.id,
        space: fusion.space ?? method.space, role: method.role, fusion: fusion, values: [], breakdowns: [:],
        fusionSeconds: elapsed / .seconds(1))
    }
  }
}

extension FrameRecord {
  /// Says by which line the prediction was fitted to the truth; only where nothing was fitted to a LiDAR.
  fileprivate mutating func take(_ fit: AlignmentFit, of unit: Prediction.Unit) {
    space = fit.space
    (fusion.line, fusion.space, fusion.pairs) = (fit.line, fit.space, fit.pairs)
    fusion.note("fitted to the truth: \(fit.space.words(of: unit))")
  }
}

extension Space {
  /// "1/g = α·r + β"
  fileprivate func words(of unit: Prediction.Unit) -> String {
    let isInverted = unit == .disparity
    return switch self {
    case .depth: isInverted ? "g = α/r + β" : "g = α·r + β"
    case .disparity: isInverted ? "1/g = α·r + β" : "1/g = α/r + β"
    case .log: isInverted ? "ln g = β − α·ln r" : "ln g = α·ln r + β"
    }
  }
}

extension FusionResult {
  /// Adds to the reason.
  fileprivate mutating func note(_ words: String) {
    reason = [reason, words].compactMap { $0 }.joined(separator: "; ")
  }
}
