public import DepthCore

/// The LiDAR map as it is: the baseline to beat. Every return counts, whatever its confidence.
public struct RawLiDAR: FusionMethod {
  /// How the map is read at the truth's pixels.
  public let sampling: Prediction.Sampling
  public init(_ sampling: Prediction.Sampling) { self.sampling = sampling }
  public var id: String { sampling == .nearest ? "lidar-nearest" : "lidar-bilinear" }
  public var space: Space? { nil }
  public var role: MethodRole { .sensor }
  public var isLiteral: Bool { true }
  public var givesDeviation: Bool { true }

  public func fuse(
    _ frame: DepthFrame, in context: FusionContext, using generator: inout SplitMix64
  ) -> FusionResult {
    var result = FusionResult(status: .ok), map = frame.lidar, returns = 0
    for i in map.values.indices {
      if map.values[i] > 0 && map.values[i].isFinite { returns += 1 } else { map.values[i] = .nan }
    }
    if returns == 0 { result.reason = "the LiDAR map has no return" }
    result.prediction = Prediction(depth: map, sampling: sampling)
    if context.wantsDeviation {
      result.state(FusedDeviation.lidar(map, context.noise(of: frame)))
    }
    return result
  }
}
