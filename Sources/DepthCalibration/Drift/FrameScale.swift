internal import DepthCore
internal import DepthFusion
internal import Foundation

/// The unit of one frame's relative map: the line that takes it to the LiDAR, and what could explain its scale.
public struct FrameScale: Sendable, Codable {
  /// Position in the scene.
  public let index: Int
  /// Seconds since any origin; nil where the scene has no times.
  public let seconds: Double?
  /// α and β of 1/d = α·r + β (d = α·r + β for a depth map), fitted by Huber's estimator; nil where nothing could be fitted.
  public let scale: Double?, shift: Double?
  /// Largest finite value of the relative map.
  public let maximum: Double
  /// The nearest half percent of the LiDAR begins here, metres; nil without a return.
  public let nearest: Double?
  /// Share of the returns that are nearer than ``nearest``: a few false ones do not decide.
  static let nearestShare = 0.005

  /// - Returns: nil for a frame without a relative map, or one without a finite value.
  init?(_ frame: DepthFrame, kind: RelativeKind, seconds: Double?) {
    guard let relative = frame.relative, let largest = relative.values.lazy.filter(\.isFinite).max()
    else { return nil }
    (index, self.seconds, maximum) = (frame.index, seconds, Double(largest))
    var reduced = frame
    reduced.truth = nil
    guard let huber = Estimator.all.first(where: { $0.id == "huber" })
    else { preconditionFailure("there is Huber's estimator") }
    let method = FittedFusion(huber, in: Space(natural: kind))
    // Huber's estimator draws nothing.
    var generator = SplitMix64(seed: 0)
    let line = method.fuse(reduced, in: FusionContext(relativeKind: kind), using: &generator).line
    (scale, shift) = (line?.scale, line?.shift)
    nearest = OrderStatistics.quantile(
      Self.nearestShare, of: frame.lidar.values.filter { $0 > 0 && $0.isFinite }.map(Double.init))
  }
}
