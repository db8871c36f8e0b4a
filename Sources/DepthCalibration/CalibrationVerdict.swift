import DepthCore
import DepthEvaluation
import DepthFusion
import Statistics

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

  /// A confidence level of the LiDAR.
  public struct Level: Codable, Sendable, Equatable {
    public var level: Int
    /// Standard deviation √(a² + (b·d)²) at depth d.
    public var a: Estimate?, b: Estimate?
    public var outlierShare: Double?
    /// Whether fitted intervals hold what they promise on data left out: of the whole model, and of a and b alone.
    public var honesty: String?, noiseOnlyHonesty: String?
    /// What the judgement rests on.
    public var judgedOn: String?
    /// Why there is no model.
    public var reason: String?
  }

  /// d′ = scale·d + offset.
  public struct Correction: Codable, Sendable, Equatable {
    public var scale: Estimate, offset: Estimate
    /// That none is needed.
    public var p: Double?
    public var isApplied: Bool
    /// "recommended", "indistinguishable", "shared-truth", "too-few-scenes".
    public var reason: String
  }

  /// Shift of the relative map against the LiDAR, LiDAR pixels.
  public struct Registration: Codable, Sendable, Equatable {
    public var x: Estimate?, y: Estimate?
    public var isApplied: Bool
  }

  /// Levels in an order of their median errors.
  public struct Order: Codable, Sendable, Equatable {
    /// "2 < 1 < 0"
    public var order: String
    public var scenes: Int, scenesInOrder: Int
    public var frames: Int, framesInOrder: Int
  }

  /// A method with a calibration that did not see the scene, against the same without.
  public struct Gain: Codable, Sendable, Equatable {
    public var method: String, column: String
    public var without: Double?, with: Double?
    public var difference: Estimate?
    public var scenes: Int
    /// "improves", "worsens", "no difference that can be told", "too few scenes", "cannot be shown".
    public var outcome: String
  }

  /// Its name in a folder.
  public static let fileName = "verdict.json"

  /// Raised where a key changes its meaning or goes.
  public var version = 1
  /// Whether intervals are over scenes; else they are over blocks of one scene and not valid beyond it.
  public var isOverScenes: Bool
  public var units: Int
  /// From the most confident on.
  public var levels: [Level]
  public var correction: Correction?
  public var registration: Registration
  public var orders: [Order]
  public var gains: [Gain]

  public init(
    _ run: CalibrationRun, correction: CorrectionFit?, registration: RegistrationFit, gain: HeldOutGain
  ) {
    isOverScenes = run.units == .scenes
    units = run.unitCount
    levels = [2, 1, 0].map { level in Self.level(level, run) }
    self.correction = correction.map(Self.correction)
    self.registration = Registration(
      x: registration.x.map { Estimate($0.shift, $0.interval?.low, $0.interval?.high) },
      y: registration.y.map { Estimate($0.shift, $0.interval?.low, $0.interval?.high) },
      isApplied: registration.recommended != .zero)
    orders = run.monotonicity.comparisons.map {
      Order(
        order: $0.name, scenes: $0.scenes.trials, scenesInOrder: $0.scenes.successes,
        frames: $0.frames.trials,
        framesInOrder: $0.frames.successes)
    }
    gains = gain.rows.map { row in
      let found = row.comparison
      return Gain(
        method: row.method, column: row.column.id, without: found?.referenceValue, with: found?.value,
        difference: found.map { Estimate($0.difference, $0.interval?.low, $0.interval?.high) },
        scenes: found?.scenes ?? 0, outcome: row.verdict.rawValue)
    }
  }

  private static func level(_ level: Int, _ run: CalibrationRun) -> Level {
    let check = run.checks.first { $0.level == level }
    var found = Level(
      level: level, honesty: check?.verdict.rawValue, noiseOnlyHonesty: check?.noiseOnlyVerdict.rawValue,
      judgedOn: check?.judged.rawValue)
    switch run.noise[level] {
    case .failure(let reason): found.reason = "\(reason)"
    case .success(let noise):
      found.a = Estimate(noise.law.a, noise.a?.low, noise.a?.high)
      found.b = Estimate(noise.law.b, noise.b?.low, noise.b?.high)
      found.outlierShare = noise.parameters.outlierShare
    }
    return found
  }

  private static func correction(_ fit: CorrectionFit) -> Correction {
    let reason =
      switch fit.verdict {
      case .recommended: "recommended"
      case .indistinguishable: "indistinguishable"
      case .sharedTruth: "shared-truth"
      case .tooFewScenes: "too-few-scenes"
      }
    return Correction(
      scale: Estimate(fit.correction.scale, fit.scaleInterval?.low, fit.scaleInterval?.high),
      offset: Estimate(fit.correction.offset, fit.offsetInterval?.low, fit.offsetInterval?.high),
      p: fit.pValue, isApplied: fit.verdict == .recommended, reason: reason)
  }
}
