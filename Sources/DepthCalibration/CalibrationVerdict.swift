import DepthCore
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import FathomStatistics

/// What a calibration shows, as values: the noise of each level and whether it is honest, what is corrected, whether the order of
/// confidence holds, and whether applying it helps on scenes that it did not see.
///
/// Lengths are metres, shares 0…1.
public struct CalibrationVerdict: Codable, Sendable, Equatable {
  /// A value with its 95 % interval.
  public struct Estimate: Codable, Sendable, Equatable {
    public var value: Double
    public var low: Double?, high: Double?

    init(_ value: Double, _ low: Double?, _ high: Double?) {
      (self.value, self.low, self.high) = (value, low, high)
    }
  }

  /// Which scenes have a confidence map; pixels of the others count as confidence 2.
  public enum ConfidenceMaps: String, Codable, Sendable {
    case all, some, none
  }

  /// A confidence level of the LiDAR.
  public struct Level: Codable, Sendable, Equatable {
    public var level: Int
    /// nil for a level without pixels.
    public var error: LevelError?
    /// What a fit should make of a return, beside one of the best level that was measured; nil where none was.
    public var weight: Double?
    /// Standard deviation √(a² + (b·d)²) at depth d.
    public var a: Estimate?, b: Estimate?
    /// Which of the two the data show.
    public var parts: NoiseParts?
    public var outlierShare: Double?
    /// Whether the fit came to rest.
    public var hasConverged: Bool?
    /// How far the ranges lie from the model; nil for fewer than two ranges with enough pixels.
    public var agreement: NoiseAgreement?
    /// Whether fitted intervals hold what they promise on held-out data: of the whole model, and of a and b alone.
    public var honesty: PredictiveCheck.Verdict?, noiseOnlyHonesty: PredictiveCheck.Verdict?
    /// What the judgement rests on.
    public var judgedOn: PredictiveCheck.Judged?
    /// Why there is no model.
    public var reason: NoiseFit.Failure.Reason?
  }

  /// What leaving out pixels by confidence gains: AUSE and AURG of the relative error.
  public struct Confidence: Codable, Sendable, Equatable {
    public var ause: Estimate, aurg: Estimate
    /// Of what leaving out the worst would gain; nil where that is nothing.
    public var share: Double?
  }

  /// d′ = scale·d + offset.
  public struct Correction: Codable, Sendable, Equatable {
    public var scale: Estimate, offset: Estimate
    /// That none is needed.
    public var p: Double?
    public var isApplied: Bool, reason: CorrectionFit.Verdict
  }

  /// Shift of the relative map against the LiDAR, LiDAR pixels.
  public struct Registration: Codable, Sendable, Equatable {
    /// Along rows or columns, with its 95 % interval.
    public struct Axis: Codable, Sendable, Equatable {
      public var value: Double
      public var low: Double?, high: Double?
      /// Scenes with enough edges.
      public var scenes: Int
      public var isApplied: Bool, reason: RegistrationFit.Verdict
    }

    /// Scenes with a relative map.
    public var scenes: Int
    /// Columns and rows; nil where no scene has enough edges.
    public var x: Axis?, y: Axis?
    public var isApplied: Bool
  }

  /// Levels in an order of their median errors.
  public struct Order: Codable, Sendable, Equatable {
    /// Whether more confidence means less error.
    public enum Answer: String, Codable, Sendable {
      /// In more than 95 % of the frames.
      case yes
      /// In more than half of them.
      case mostly
      case no
    }

    /// "2 < 1 < 0"
    public var order: String
    /// The most confident first.
    public var levels: [Int]
    public var answer: Answer, scenes: Int, scenesInOrder: Int, frames: Int, framesInOrder: Int
  }

  /// A method with a calibration that did not see the scene, against the same without.
  public struct Gain: Codable, Sendable, Equatable {
    public var method: String, column: String
    public var without: Double?, with: Double?, difference: Estimate?
    public var scenes: Int, outcome: HeldOutGain.Verdict
  }

  public struct NextStep: Codable, Sendable, Equatable {
    public enum Kind: String, Codable, Sendable {
      case evaluate
    }

    public static let calibrationFile = "calibration.yaml"
    public var kind: Kind
    /// The calibration, a file beside the verdict.
    public var calibration: String
  }

  public static let fileName = "verdict.json"
  /// Raised where a key changes its meaning or goes.
  public var version = 1
  /// Whether intervals are over scenes; else they are over blocks of one scene and not valid beyond it.
  public var isOverScenes: Bool
  public var units: Int, scenes: Int
  /// Scenes whose truth is not independent of the LiDAR, and in which way.
  public var dependentScenes: [String: String]
  /// Of the LiDAR's pixels, for which neighbouring frames give a reference; nil where the stored truth was used.
  public var multiviewShare: Double?
  public var confidenceMaps: ConfidenceMaps
  /// From the most confident on.
  public var levels: [Level]
  /// What intervals of the noise are worth; nil where no level has a model.
  public var noiseIntervals: NoiseIntervals?
  public var correction: Correction?
  public var registration: Registration
  /// Whether more confidence means less error: of all levels, or of the first two that can be compared; nil where none can.
  public var order: Order?
  public var orders: [Order]
  /// nil without any confidence map.
  public var confidence: Confidence?
  /// nil where no scene has a relative map.
  public var drift: UnitDrift?
  public var gains: [Gain]
  /// Why there are no gains.
  public var gainObjection: HeldOutGain.Objection?
  /// nil where there is nothing to apply: no level has a noise model.
  public var next: NextStep?

  /// - Parameter isMultiview: Whether the truth was made from neighbouring frames.
  public init(
    _ run: CalibrationRun, correction: CorrectionFit?, registration: RegistrationFit, drift: [ScaleDrift],
    gain: HeldOutGain, isMultiview: Bool
  ) {
    (isOverScenes, units, scenes) = (run.units == .scenes, run.unitCount, run.scenes.count)
    dependentScenes = Dictionary(
      run.scenes.filter { !$0.independence.canShowGainOverSensor }.map { ($0.name, $0.independence.rawValue) }
    ) { first, _ in first }
    multiviewShare = isMultiview ? run.knownShare : nil
    confidenceMaps = run.hasConfidence ? .all : run.scenes.contains(where: \.hasConfidence) ? .some : .none
    noiseIntervals = NoiseIntervals(run)
    levels = [2, 1, 0].map { level in Self.level(level, run) }
    self.correction = correction.map(Self.correction)
    self.registration = Registration(registration)
    orders = run.monotonicity.comparisons.map(Order.init)
    order = orders.first { $0.levels.count == 3 } ?? orders.first
    confidence = run.confidence.map(Confidence.init)
    self.drift = UnitDrift(drift)
    gains = gain.rows.map { row in
      let found = row.comparison
      return Gain(
        method: row.method, column: row.column.id, without: found?.referenceValue, with: found?.value,
        difference: found.map { Estimate($0.difference, $0.interval?.low, $0.interval?.high) },
        scenes: found?.scenes ?? 0, outcome: row.verdict)
    }
    gainObjection = gain.objection
    next = run.weights.map { _ in NextStep(kind: .evaluate, calibration: NextStep.calibrationFile) }
  }

  /// Gains in the error that a reader looks at first.
  public var headlineGains: [Gain] { gains.filter { $0.column == HeldOutGain.columns[0].id } }

  private static func level(_ level: Int, _ run: CalibrationRun) -> Level {
    let check = run.checks.first { $0.level == level }
    var found = Level(
      level: level, error: LevelError(level, run), weight: run.weights?.weights[level],
      honesty: check?.verdict, noiseOnlyHonesty: check?.noiseOnlyVerdict, judgedOn: check?.judged)
    switch run.noise[level] {
    case .failure(let reason): found.reason = reason.reason
    case .success(let noise):
      found.a = Estimate(noise.law.a, noise.a?.low, noise.a?.high)
      found.b = Estimate(noise.law.b, noise.b?.low, noise.b?.high)
      found.parts = NoiseParts(noise.law)
      (found.outlierShare, found.hasConverged) = (noise.parameters.outlierShare, noise.hasConverged)
      found.agreement = NoiseAgreement(noise, run)
    }
    return found
  }

  private static func correction(_ fit: CorrectionFit) -> Correction {
    Correction(
      scale: Estimate(fit.correction.scale, fit.scaleInterval?.low, fit.scaleInterval?.high),
      offset: Estimate(fit.correction.offset, fit.offsetInterval?.low, fit.offsetInterval?.high),
      p: fit.pValue, isApplied: fit.verdict == .recommended, reason: fit.verdict)
  }
}

extension CalibrationVerdict.Registration {
  init(_ fit: RegistrationFit) {
    func axis(_ found: RegistrationFit.Axis?) -> Axis? {
      found.map {
        Axis(
          value: $0.shift, low: $0.interval?.low, high: $0.interval?.high, scenes: $0.scenes,
          isApplied: $0.isRecommended, reason: $0.verdict)
      }
    }
    scenes = fit.scenes.count
    (x, y) = (axis(fit.x), axis(fit.y))
    isApplied = [x, y].contains { $0?.isApplied == true }
  }
}

extension CalibrationVerdict.Order {
  init(_ found: Monotonicity.Comparison) {
    (order, levels) = (found.name, found.levels)
    (scenes, scenesInOrder) = (found.scenes.trials, found.scenes.successes)
    (frames, framesInOrder) = (found.frames.trials, found.frames.successes)
    let share = Double(framesInOrder) / Double(max(1, frames))
    answer = share > 0.95 ? .yes : share > 0.5 ? .mostly : .no
  }
}

extension CalibrationVerdict.Confidence {
  init(_ value: ConfidenceValue) {
    ause = .init(value.ause, value.auseInterval?.low, value.auseInterval?.high)
    aurg = .init(value.aurg, value.aurgInterval?.low, value.aurgInterval?.high)
    share = value.ause + value.aurg > 0 ? value.aurg / (value.ause + value.aurg) : nil
  }
}
