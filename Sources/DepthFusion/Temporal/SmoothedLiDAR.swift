public import DepthCore

/// The LiDAR averaged over the last frames, as a prediction of its own.
///
/// Refuses where poses, intrinsics or the camera convention are missing. The first frame of a scene has nothing before
/// it and is the raw map.
public struct SmoothedLiDAR: FusionMethod {
  public init() {}
  public var id: String { "smoothed" }
  public var space: Space? { nil }
  public var role: MethodRole { .sensor }
  public var needsHistory: Bool { true }
  public var givesDeviation: Bool { true }

  public func fuse(
    _ frame: DepthFrame, in context: FusionContext, using generator: inout SplitMix64
  ) -> FusionResult {
    var result = FusionResult(status: .ok), frame = frame
    do throws(TemporalFailure) {
      let smoothed = try context.smoothed(frame)
      result.prediction = Prediction(depth: smoothed.map)
      if context.wantsDeviation {
        frame.lidar = smoothed.map
        result.state(FusedDeviation.lidar(smoothed.map, context.noise(of: frame)))
      }
      result.reason =
        "averaged with \(smoothed.frames) earlier frames"
        + (smoothed.agreement.map { ", agreement \(($0 * 100).rounded() / 100)" } ?? "")
    } catch { (result.status, result.reason) = (.degenerate, error.description) }
    return result
  }
}
