public import DepthEvaluation
public import FathomStatistics

/// What a method's errors over all truth pixels are worth where the truth is not exact.
///
/// From the RMSE the noise of the truth is taken out: a frame's mean square error minus the mean variance of its truth pixels, for noise
/// that is independent of the prediction and from pixel to pixel. The bias needs no such correction. MAE, AbsRel and δ₁ are extrapolated
/// (`NoiseExtrapolation`). Quantiles and other metrics have no correction here.
public struct MethodBudget: Sendable {
  /// Id of the method.
  public let method: String
  /// `MetricColumn.rmse`, `MetricColumn.bias`, or one of `NoiseFreeErrors.columns`.
  public let column: MetricColumn
  /// As the tables have it, in the column's unit.
  public let uncorrected: Double
  /// With the noise of the truth taken out; nil where in a scene it explains all of the error, or too much of it to extrapolate.
  public let estimate: Double?
  /// The 95 % interval of ``estimate`` over scenes; nil for fewer than four.
  public let low: Double?, high: Double?
  public let scenes: Int, frames: Int
  /// Of the truth of the method's pixels, over frames, metres.
  public let meanRange: Double
  /// Frames whose error the noise of the truth explains alone: they count as 0.
  public let framesExplained: Int
  /// nil without ``estimate``, for fewer scenes than an interval needs, and where a scale or step of the truth would be a part of it
  /// that is not known.
  public let budget: UncertaintyBudget?

  /// Of every method of a run; empty where the truth counts as exact.
  static func all(of run: EvaluationRun) -> [MethodBudget] {
    guard let deviation = run.truthDeviation else { return [] }
    var frames: [String: [(scene: String, moments: TruthMoments)]] = [:]
    for record in run.records where !record.values.isEmpty {
      guard let moments = record.moments else { continue }
      frames[record.method, default: []].append((record.scene, moments))
    }
    var bootstrap = SceneBootstrap(seed: run.plan.seed)
    return run.aggregation.summary.flatMap { row -> [MethodBudget] in
      guard let frames = frames[row.method] else { return [] }
      let isFitted = run.isFittedToTruth(row.method) || run.basis.hasLidar && run.plan.rules.isOracle
      let hasNoise = deviation.hasNoise || run.hasTruthDeviation
      return ([.rmse, .bias] + (hasNoise ? NoiseFreeErrors.columns : [])).compactMap { column in
        let errors = CorrectedErrors(
          frames, column, deviation, run.plan.rules.aggregation, isFitted: isFitted)
        return MethodBudget(row.method, errors, deviation, &bootstrap)
      }
    }
  }

  /// nil where there is no value at all.
  init?(
    _ method: String, _ errors: CorrectedErrors, _ deviation: TruthDeviation,
    _ bootstrap: inout SceneBootstrap
  ) {
    guard let uncorrected = errors.values(correcting: false).value(0) else { return nil }
    (self.method, column, self.uncorrected) = (method, errors.column, uncorrected)
    meanRange = errors.meanRange
    let values = errors.values()
    (scenes, frames, framesExplained) = (values.scenes.count, values.frames, errors.framesExplained)
    guard let estimate = errors.isExplained ? nil : values.value(0) else {
      (self.estimate, low, high, budget) = (nil, nil, nil, nil)
      return
    }
    // A polynomial may end beyond what a share can be.
    let possible = column.metric.possible
    self.estimate = min(max(estimate, possible.lowerBound), possible.upperBound)
    let interval = bootstrap.interval(of: values)
    (low, high) = (interval?.low, interval?.high)
    guard scenes >= ConfidenceInterval.fewestScenes, let error = values.standardError else {
      budget = nil
      return
    }
    let isExtrapolated = NoiseFreeErrors.columns.contains(column)
    guard !isExtrapolated || deviation.scale + deviation.step == 0 else {
      budget = nil
      return
    }
    // An RMSE does not change in proportion to a shift of the truth, so that its slope says too little: the largest change counts that
    // happens within two standard deviations, or within the limits of a uniform source (GUM 5.1.3, note 2, made safe).
    func sensitivity(scale: Double = 0, length: Double = 0) -> Double {
      let changes = [1, 0.5, -0.5, -1].map { part in
        abs((errors.values(scale: part * scale, length: part * length).value(0) ?? estimate) - estimate)
      }
      return (changes.max() ?? 0) / (scale + length)
    }
    var parts = [UncertaintyBudget.Component(Self.sampling, error, .student, freedom: Double(scenes - 1))]
    if isExtrapolated {
      let other = errors.values(degree: 2).value(0) ?? estimate
      parts.append(.init(Self.extrapolation, abs(other - estimate) / 3.0.squareRoot(), .uniform))
    } else if let noise = errors.averagedNoise(estimate) {
      parts.append(.init(Self.noise, noise, .normal))
    }
    if deviation.scale > 0 {
      parts.append(
        .init(Self.scale, deviation.scale, .normal, sensitivity: sensitivity(scale: 2 * deviation.scale)))
    }
    if deviation.step > 0 {
      parts.append(
        .init(
          Self.resolution, deviation.step / 12.0.squareRoot(), .uniform,
          sensitivity: sensitivity(length: deviation.step / 2)))
    }
    budget = UncertaintyBudget(parts)
  }

  private static let sampling = "sampling of scenes", noise = "truth noise"
  private static let extrapolation = "extrapolation", scale = "truth scale", resolution = "truth resolution"
}

/// A method's errors frame by frame, with the noise of the truth taken out.
struct CorrectedErrors {
  let column: MetricColumn
  private let frames: [(scene: String, moments: TruthMoments)], deviation: TruthDeviation
  private let mode: AggregationMode, isFitted: Bool

  /// - Parameter frames: Scene by scene.
  /// - Parameter column: As ``MethodBudget/column``.
  /// - Parameter isFitted: Whether predictions are fitted to the truth.
  init(
    _ frames: [(scene: String, moments: TruthMoments)], _ column: MetricColumn, _ deviation: TruthDeviation,
    _ mode: AggregationMode, isFitted: Bool
  ) {
    (self.frames, self.column, self.deviation, self.mode) = (frames, column, deviation, mode)
    self.isFitted = isFitted
  }

  private var isSquared: Bool { column == .rmse }

  private func noise(_ moments: TruthMoments) -> Double {
    deviation.noiseVariance(rangeSquare: moments.rangeSquare) + moments.variance
  }

  /// Averaged as the tables are, against a truth that is off by a share or by a length.
  /// - Parameter degree: Of the polynomial, where noise is taken out by extrapolation.
  func values(
    scale: Double = 0, length: Double = 0, correcting: Bool = true, degree: Int = 4
  ) -> SceneValues {
    var sums = SceneSums()
    let isRoot = isSquared && mode == .pooled
    for (scene, moments) in frames {
      let value: Double
      if let own = moments.noiseFree[column] {
        value = !correcting ? own.measured : degree == 2 ? own.quadratic : own.quartic
      } else {
        let shifted = moments.shifted(scale: scale, length: length, isFitted: isFitted)
        let square = shifted.square - (correcting ? noise(moments) : 0)
        value = !isSquared ? shifted.bias : isRoot ? square : max(0, square).squareRoot()
      }
      let weight = mode == .pooled ? Double(moments.count) : 1
      sums.add(WeightedSum(sum: value * weight, weight: weight), of: scene)
    }
    return sums.values(mode, isRoot: isRoot, possible: column.metric.possible)
  }

  var meanRange: Double { frames.reduce(0) { $0 + $1.moments.range } / Double(frames.count) }
  var framesExplained: Int { isSquared ? frames.count { $0.moments.square <= noise($0.moments) } : 0 }

  /// Whether in some scene the noise explains all of the error, or too much of it to extrapolate.
  var isExplained: Bool {
    guard column != .bias else { return false }
    let most = isSquared ? 1 : NoiseExtrapolation.mostNoise
    var sums = SceneSums()
    for (scene, moments) in frames { sums.add(.one(most * moments.square - noise(moments)), of: scene) }
    return sums.values(.scene, possible: Metric.signed).perScene(0).contains { $0 <= 0 }
  }

  /// What is left of the noise after the mean over all pixels, each counting once, metres; nil where there is none.
  /// - Parameter estimate: The corrected value, metres.
  func averagedNoise(_ estimate: Double) -> Double? {
    let mean = frames.reduce(0) { $0 + noise($1.moments) } / Double(frames.count)
    let pixels = Double(frames.reduce(0) { $0 + $1.moments.count })
    guard mean > 0 else { return nil }
    // Of the RMSE: var(2·e·n + n²)/(4·RMSE²) for errors e that the noise n is independent of.
    let squared = isSquared && estimate > 0 ? mean / (2 * estimate * estimate) : 0
    return (mean / pixels * (1 + squared)).squareRoot()
  }
}
