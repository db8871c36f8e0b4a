import DepthCore
import DepthEvaluation
import DepthFusion

/// What some configurations are worth on one frame. Configurations that give the same line share one result.
struct FrameOutcomes: Sendable {
  /// Per configuration asked for, the position of its result in ``values``; −1 where it refused the frame.
  var results: [Int32]
  /// Distinct results: one value per ``TuningObjective/columns``, and behind them the placement error.
  var values: [[Double?]] = []
  var lidar: [Double?]  // The same of the raw LiDAR, which stands in where a configuration refused.
}

/// Fits and scores configurations on one frame. A pure function of its input, whatever the thread.
struct FrameSearch {
  let plan: TuningPlan, scene: SceneContext, frame: DepthFrame
  /// Detections; nil where objects are not looked at.
  let detections: FrameDetections?
  /// Truth pixels and pairs that are looked at; nil for all.
  let pixels: Int?, pairs: Int?
  /// Ids of the columns that are wanted; nil for all.
  let columns: Set<String>?

  /// Results of the configurations at `indices`; nil where the frame has nothing to score or to stand in.
  func outcomes(of indices: [Int]) -> FrameOutcomes? {
    let identifier = scene.header.frameID(frame.index)
    func stream(_ purpose: String) -> SplitMix64 {
      SplitMix64(seed: plan.seed, stream: scene.header.name, identifier, purpose)
    }
    var generator = stream("tune pixels")
    guard let sample = ScoringSample(frame, rules: plan.rules, limit: pixels, using: &generator)
    else { return nil }
    var fits = FrameFits(plan, frame, pairs: pairs)
    let boxes = detections.flatMap {
      BoxScorer(plan.objects, seed: plan.seed, scene: scene, frame: frame, detections: $0)
    }
    var outcomes = FrameOutcomes(
      results: [], lidar: Self.row(sample.lidar, boxes?.placementError(in: frame.lidar)))
    outcomes.results.reserveCapacity(indices.count)
    var known: [LineKey: Int32] = [:]
    for index in indices {
      let configuration = plan.grid.configurations[index]
      let space = configuration.space(for: scene.relativeKind)
      let method = configuration.method.method(for: scene.relativeKind)
      guard let line = fits.line(configuration, space, generator: stream(method.id)) else {
        outcomes.results.append(-1)
        continue
      }
      let key = LineKey(line: line, space: space)
      if let result = known[key] {
        outcomes.results.append(result)
        continue
      }
      let values = sample.values(of: line, in: space, options: configuration.options, columns: columns)
      let error = frame.relative.flatMap { relative in
        boxes?.placementError(in: FittedFusion.apply(line, in: space, to: relative, configuration.options))
      }
      // A map without one valid pixel where the truth counts is none.
      let isEmpty = values[Self.coverage] == 0
      known[key] = isEmpty ? -1 : Int32(outcomes.values.count)
      outcomes.results.append(known[key] ?? -1)
      if !isEmpty { outcomes.values.append(Self.row(values, error)) }
    }
    return outcomes
  }

  private static let coverage = MetricColumn.coverage.position
  private static let columns = TuningObjective.columns.map(\.position)

  private static func row(_ values: [Double?], _ placement: Double?) -> [Double?] {
    columns.map { values[$0] } + [placement]
  }
}

private struct LineKey: Hashable { let line: Line, space: Space }

/// The lines of one frame: sums over the pairs for least squares, pairs for the others.
private struct FrameFits {
  let plan: TuningPlan, frame: DepthFrame
  /// Most pairs within the limits that methods other than least squares fit.
  let limit: Int?
  private let limits: [Double]
  private var sources: [PairKey: PairSource] = [:], known: [FitKey: Line?] = [:]

  /// What decides which pairs there are, before limits.
  private struct PairKey: Hashable {
    let space: Space, mapping: PositionMapping, weights: PairWeights?, isWeighted: Bool
  }

  private struct PairSource { let binned: BinnedPairs, all: CandidatePairs }

  /// What decides a line: fewest pairs and guards on the slope do not.
  private struct FitKey: Hashable {
    let pairs: PairKey, method: MethodSelection, minConfidence: UInt8
    let minDepth: Double, maxDepth: Double, inlierThreshold: InlierThreshold
  }

  init(_ plan: TuningPlan, _ frame: DepthFrame, pairs: Int?) {
    (self.plan, self.frame, limit) = (plan, frame, pairs)
    limits = Set(plan.grid.configurations.flatMap { [$0.options.minDepth, $0.options.maxDepth] }).sorted()
  }

  /// The accepted line; nil where there is none.
  mutating func line(_ configuration: TuningConfiguration, _ space: Space, generator: SplitMix64) -> Line? {
    let (estimator, options) = (configuration.estimator, configuration.options)
    let key = PairKey(
      space: space, mapping: options.positionMapping, weights: options.weights,
      isWeighted: estimator.isConfidenceWeighted)
    guard let source = source(key, estimator, options) else { return nil }
    let least = estimator.minConfidence(under: options)
    let (low, high) = (options.minDepth, options.maxDepth)
    let count = source.binned.count(minConfidence: least, minDepth: low, maxDepth: high)
    guard count >= options.minPairs else { return nil }
    let fitKey = FitKey(
      pairs: key, method: configuration.method, minConfidence: least, minDepth: low, maxDepth: high,
      inlierThreshold: options.inlierThreshold)
    let line: Line?
    if let cached = known[fitKey] {
      line = cached
    } else {
      line = fit(source, estimator, options, least, generator)
      known[fitKey] = .some(line)
    }
    guard let line else { return nil }
    return accepts(line, source.all, least, options) ? line : nil
  }

  private func fit(
    _ source: PairSource, _ estimator: Estimator, _ options: FusionOptions, _ least: UInt8,
    _ generator: SplitMix64
  ) -> Line? {
    if estimator.isLeastSquares {
      return try? source.binned.fit(
        minConfidence: least, minDepth: options.minDepth, maxDepth: options.maxDepth, minPairs: 2
      ).line
    }
    var generator = generator
    let problem = source.all.problem(
      minConfidence: least, minDepth: options.minDepth, maxDepth: options.maxDepth)
    return try? estimator.fit(limit.map(problem.thinned) ?? problem, options, &generator).line
  }

  private func accepts(
    _ line: Line, _ pairs: CandidatePairs, _ least: UInt8, _ options: FusionOptions
  ) -> Bool {
    guard options.hasScaleGuard else { return true }
    return options.acceptsScale(of: line) {
      pairs.problem(minConfidence: least, minDepth: options.minDepth, maxDepth: options.maxDepth)
    }
  }

  private mutating func source(
    _ key: PairKey, _ estimator: Estimator, _ options: FusionOptions
  ) -> PairSource? {
    if let source = sources[key] { return source }
    guard let all = CandidatePairs(frame, estimator: estimator, space: key.space, options: options)
    else { return nil }
    let source = PairSource(binned: BinnedPairs(all, limits: limits), all: all)
    sources[key] = source
    return source
  }
}
