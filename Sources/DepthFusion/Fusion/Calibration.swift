public import DepthCore

/// What was measured of a LiDAR and of how a relative map lies to it: what `fathom calibrate` finds and
/// `evaluate --calibration` applies.
///
/// Methods that are held to the raw sensor (``FusionMethod/isLiteral``) take none of it.
public struct Calibration: Sendable, Hashable, Codable {
  /// Applied to every return before it is used.
  public var correction: LidarCorrection
  /// What a LiDAR pixel shows lies at its position plus this in the relative map's view, LiDAR pixels.
  public var registration: PixelOffset
  /// Weights of confidence 0, 1 and 2 where confidence is the weight; empty where the calibration does not say.
  public var confidenceWeights: [Double]
  /// σ(d) of confidence 0, 1 and 2; empty where the calibration does not say.
  public var noise: [RangeLaw]
  /// Factors for the standard deviations that methods state; empty where the calibration does not say.
  public var deviationScales: [DeviationScale] = []

  public init(
    correction: LidarCorrection = .identity, registration: PixelOffset = .zero,
    confidenceWeights: [Double] = [], noise: [RangeLaw] = []
  ) {
    (self.correction, self.registration) = (correction, registration)
    (self.confidenceWeights, self.noise) = (confidenceWeights, noise)
  }

  /// Keys as in `calibration.yaml`.
  enum CodingKeys: String, CodingKey {
    case correction, registration, noise, confidenceWeights = "confidence-weights"
    case deviationScales = "deviation"
  }

  /// Everything but the keys that are there keeps its default.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      correction: try container.decodeIfPresent(LidarCorrection.self, forKey: .correction) ?? .identity,
      registration: try container.decodeIfPresent(PixelOffset.self, forKey: .registration) ?? .zero,
      confidenceWeights: try container.decodeIfPresent([Double].self, forKey: .confidenceWeights) ?? [],
      noise: try container.decodeIfPresent([RangeLaw].self, forKey: .noise) ?? [])
    deviationScales = try container.decodeIfPresent([DeviationScale].self, forKey: .deviationScales) ?? []
  }

  /// Largest shift that a calibration may ask for, LiDAR pixels; beyond it the maps show different views.
  public static let largestOffset = 16.0

  /// The first value that makes no sense or contradicts another, as "name: why"; nil when all do.
  public var firstProblem: String? {
    if !correction.isUsable {
      return "correction: scale \(correction.scale), offset \(correction.offset) is implausible; "
        + "the scale must be 0.5 to 2, the offset at most 0.5 m"
    }
    for (name, value) in [("x", registration.x), ("y", registration.y)]
    where !(abs(value) <= Self.largestOffset) {
      return "registration: \(name) \(value) is not within \(Self.largestOffset) LiDAR pixels"
    }
    if !confidenceWeights.isEmpty {
      let areWeights = confidenceWeights.allSatisfy { $0 >= 0 && $0.isFinite }
      if confidenceWeights.count != 3 || !areWeights || confidenceWeights.allSatisfy({ $0 == 0 }) {
        return "confidence-weights: three weights of at least 0, not all 0, are needed"
      }
    }
    if !noise.isEmpty && !NoiseModel(noise: noise).isUsable {
      return "noise: three laws with a and b of at least 0, not both 0, are needed"
    }
    if let wild = noise.flatMap({ [$0.a, $0.b] }).first(where: { $0 > 10 || ($0 > 0 && $0 < 1e-9) }) {
      return "noise: \(wild) is implausible; a in metres and b must be 0, or 1e-9 to 10"
    }
    return deviationScales.lazy.compactMap(\.problem).first.map { "deviation: \($0)" } ?? contradiction
  }

  /// A level that is noisier than another at every depth and yet weighs more.
  private var contradiction: String? {
    guard noise.count == 3, confidenceWeights.count == 3 else { return nil }
    for (i, j) in [(0, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1)] {
      let isNoisier = noise[i] != noise[j] && noise[i].a >= noise[j].a && noise[i].b >= noise[j].b
      if isNoisier && confidenceWeights[i] > confidenceWeights[j] {
        return "confidence-weights: confidence \(i) weighs \(confidenceWeights[i]) and \(j) "
          + "\(confidenceWeights[j]), but by 'noise' \(i) is the noisier one at every depth"
      }
    }
    return nil
  }
}

extension FusionOptions {
  /// Takes over what a calibration says: correction, registration, the table of weights, and the noise as the pairs' weight
  /// where no other is chosen.
  /// - Parameter keepsWeights: Whether ``confidenceWeights`` stays as it is and is the weight, because the user chose it.
  public mutating func apply(_ calibration: Calibration, keepsWeights: Bool = false) {
    correction = calibration.correction == .identity ? nil : calibration.correction
    registration = calibration.registration == .zero ? nil : calibration.registration
    if !keepsWeights && !calibration.confidenceWeights.isEmpty {
      confidenceWeights = calibration.confidenceWeights
    }
    deviationScales = calibration.deviationScales.isEmpty ? nil : calibration.deviationScales
    guard !calibration.noise.isEmpty else { return }
    noiseModel = NoiseModel(noise: calibration.noise)
    weights = weights ?? (keepsWeights ? .confidence : .calibration)
  }
}
