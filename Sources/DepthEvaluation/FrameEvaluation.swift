public import DepthCore
public import DepthFusion

/// A scene as a run knows it.
public struct SceneContext: Sendable, Codable {
  /// What the file says.
  public var header: SceneHeader
  /// Name in the run; carries the file's name where two files share a scene name.
  public var name: String
  /// Declared kind, or the one found by rank correlation.
  public var relativeKind: RelativeKind
  /// Spearman's ρ(r, 1/d) where it decided the kind.
  public var kindCorrelation: Double?

  public init(header: SceneHeader, name: String) {
    self.header = header
    self.name = name
    relativeKind = header.relativeKind
  }
}

/// What is to be evaluated, and how.
public struct EvaluationPlan: Sendable {
  /// Methods, in the order of the tables.
  public var methods: [MethodSelection]
  /// Selection and estimator options.
  public var options: FusionOptions
  /// Which pixels count and how they are averaged.
  public var rules: EvaluationProtocol
  /// Seed of every random stream.
  public var seed: UInt64
  /// Further protocols under which the same predictions are scored; nil for none.
  public var paths: ProtocolPaths?
  /// How objects are looked at; nil for not at all.
  public var objects: ObjectPlan?
  /// The comparison that the run is made for; nil for the default one, see ``ContrastVerdict``.
  public var contrast: Contrast?
  /// Methods that somebody named, beyond the standard ones.
  public var named: [MethodSelection]
  /// The unit of lengths in what people read.
  public var units = LengthUnit.millimetres

  public init(
    methods: [MethodSelection], options: FusionOptions = FusionOptions(), rules: EvaluationProtocol = .fathom,
    seed: UInt64 = 0
  ) {
    (self.methods, self.options, self.rules, self.seed) = (methods, options, rules, seed)
    named = Self.named(methods)
  }

  /// Frames before each one that the methods look at.
  public var historyLength: Int {
    let isSmoothed = options.temporal.lidar == .smoothed
    let needsHistory = methods.contains { $0.method(for: .unknown).needsHistory }
    return isSmoothed || needsHistory ? options.temporal.frames : 0
  }

  /// Whether one of the methods looks at the camera image.
  public var needsImage: Bool { methods.contains { $0.method(for: .unknown).needsImage } }

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
      let fusion = input.fuse(method, in: context, using: &generator)
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

/// The frame as a method sees it: with the sensor's map, or the corrected and smoothed one.
private struct LidarSource {
  let frame: DepthFrame
  /// The frame with the changed map, why there is none, or nil where no change was asked for.
  let changed: Result<DepthFrame, TemporalFailure>?
  /// Earlier frames with the same correction; none where they are in the changed map already.
  private let history: [DepthFrame]

  init(_ frame: DepthFrame, _ context: FusionContext) {
    self.frame = frame
    let correction = context.options.correction
    let isSmoothed = context.options.temporal.lidar == .smoothed
    guard isSmoothed || correction != nil else {
      (changed, history) = (nil, context.history)
      return
    }
    func corrected(_ frame: DepthFrame) -> DepthFrame {
      guard let correction else { return frame }
      var frame = frame
      frame.lidar = correction(frame.lidar)
      return frame
    }
    let earlier = context.history.map(corrected)
    history = isSmoothed ? [] : earlier
    do throws(TemporalFailure) {
      var input = corrected(frame)
      if isSmoothed {
        input.lidar = try TemporalFilter(context).smoothed(input, history: earlier).map
      }
      changed = .success(input)
    } catch {
      changed = .failure(error)
    }
  }

  /// A method that is not literal refuses where there is no smoothed map: nothing else stands in for it.
  func fuse(
    _ method: any FusionMethod, in context: FusionContext, using generator: inout SplitMix64
  ) -> FusionResult {
    switch method.isLiteral ? nil : changed {
    case nil: return method.fuse(frame, in: context, using: &generator)
    case .success(let input):
      var context = context
      context.history = history
      return method.fuse(input, in: context, using: &generator)
    case .failure(let error): return FusionResult(status: .degenerate, reason: "no smoothed LiDAR: \(error)")
    }
  }
}
