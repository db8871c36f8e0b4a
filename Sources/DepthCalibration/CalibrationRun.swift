public import DepthFusion
internal import FathomStatistics

/// Everything that a calibration found, ready for tables.
public struct CalibrationRun: Sendable {
  public let plan: CalibrationPlan
  /// Scenes with truth.
  public let scenes: [SceneErrors]
  /// What intervals are taken over.
  public let units: CalibrationUnits.Kind
  public let unitCount: Int
  /// Errors per level and range.
  public let table: LevelTable
  /// The noise of confidence 0, 1 and 2, or why there is none.
  public let noise: [Result<LevelNoise, NoiseFit.Failure>]
  /// Of the levels that have a noise model.
  public let checks: [PredictiveCheck]
  public let monotonicity: Monotonicity
  /// nil without any confidence map.
  public let confidence: ConfidenceValue?
  /// nil where no level has a noise model.
  public let weights: ConfidenceWeights?

  /// Fits and judges; the three levels at the same time.
  /// - Parameter scenes: At least one, each with at least one frame with truth.
  /// - Parameter plan: The one that they were measured by.
  public init(_ scenes: [SceneErrors], plan: CalibrationPlan) async {
    let units = CalibrationUnits(scenes)
    var bootstrap = SceneBootstrap(seed: plan.seed)
    (self.plan, self.scenes) = (plan, scenes)
    (self.units, unitCount) = (units.kind, units.count)
    let table = LevelTable(units, &bootstrap)
    self.table = table
    let levels = await withTaskGroup(of: LevelResult.self) { group in
      for level in 0...2 { group.addTask { LevelResult(level, units, seed: plan.seed) } }
      var found: [LevelResult] = []
      for await result in group { found.append(result) }
      return found.sorted { $0.level < $1.level }
    }
    noise = levels.map(\.noise)
    checks = levels.compactMap(\.check)
    monotonicity = Monotonicity(scenes, &bootstrap)
    confidence = ConfidenceValue(scenes, &bootstrap)
    weights = ConfidenceWeights(
      levels.map { try? $0.noise.get().parameters },
      bins: table.rows.filter { $0.cell.level == nil && $0.returns > 0 }.compactMap(\.cell.bin))
  }

  /// What `evaluate --calibration` applies; nil where no level has a noise model.
  public var calibration: Calibration? {
    weights.map { Calibration(confidenceWeights: $0.weights, noise: $0.laws) }
  }

  /// The noise of a level; nil where none could be fitted.
  public func noise(level: Int) -> LevelNoise? { try? noise[level].get() }
  /// Whether the sensor said how sure it is, in every scene.
  public var hasConfidence: Bool { scenes.allSatisfy(\.hasConfidence) }

  /// Pixels without truth, by reason, over all scenes.
  public var leftOut: (unknown: Int, steps: Int, outOfRange: Int, unknownLevels: Int) {
    var total = TruthAtLidar.LeftOut()
    for scene in scenes { total += scene.leftOut }
    return (total.unknown, total.steps, total.outOfRange, scenes.reduce(0) { $0 + $1.unknownLevels })
  }

  /// Of the LiDAR's pixels off depth steps, whose truth is known and in range.
  var knownShare: Double {
    let pixels = table.row(level: nil)?.pixels ?? 0
    return Double(pixels) / Double(max(1, pixels + leftOut.unknown + leftOut.outOfRange))
  }

  /// Median relative error over every pixel of a level (nil for all levels), from 4096 logarithmic bins; nil for no pixels.
  public func pooledMedian(level: Int?) -> Double? {
    var total = ErrorHistogram()
    for scene in scenes {
      for part in 0...2 where level == nil || level == part { total.add(scene.relativeErrors[part]) }
    }
    return total.quantile(0.5)
  }

  /// The kept pixels of a cell; nil for fewer than ``CalibrationPlan/fewestForMedian``.
  public func kept(level: Int, bin: Int) -> KeptPixels? {
    let errors = scenes.flatMap { $0.samples(level: level) }
      .filter { CalibrationPlan.bin(of: $0.depth) == bin }.map(\.error)
    return errors.count < plan.fewestForMedian ? nil : KeptPixels(errors)
  }
}

private struct LevelResult: Sendable {
  let level: Int, noise: Result<LevelNoise, NoiseFit.Failure>, check: PredictiveCheck?

  init(_ level: Int, _ units: CalibrationUnits, seed: UInt64) {
    self.level = level
    do {
      let fitted = try LevelNoise(level: level, clusters: units.samples(level: level))
      noise = .success(fitted)
      var bootstrap = SceneBootstrap(seed: seed)
      check = PredictiveCheck(level: level, units: units, model: fitted.parameters, &bootstrap)
    } catch { (noise, check) = (.failure(error), nil) }
  }
}
