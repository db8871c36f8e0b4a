public import DepthCore

/// What makes one pair count more than another.
public enum PairWeights: String, Sendable, Hashable, Codable, CaseIterable, OptionValue {
  /// Every pair alike.
  case none
  /// The table of weights by confidence.
  case confidence
  /// 1/σ² by a law of the range alone.
  case range
  /// 1/σ² by confidence and range, from a calibration.
  case calibration

  /// Whether a pair's confidence decides how much it counts.
  var usesConfidence: Bool { self == .confidence || self == .calibration }
}

/// Noise of the LiDAR by confidence and range: what a calibration finds.
public struct NoiseModel: Sendable, Hashable, Codable {
  /// σ(d) for confidence 0, 1, 2.
  public var noise: [RangeLaw]
  public init(noise: [RangeLaw]) { self.noise = noise }
  /// Whether there is a usable law for each of the three levels.
  public var isUsable: Bool { noise.count == 3 && noise.allSatisfy(\.isUsable) }
}
