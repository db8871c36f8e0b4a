public import DepthCore

/// Tells disparity from depth by the rank correlation of relative value and 1/LiDAR depth, pooled over a
/// scene's frames (domain §2).
public struct RelativeKindEstimator: Sendable {
  /// |ρ| below which the kind stays unknown.
  public static let undecidedBelow = 0.2
  /// Pairs kept of a whole scene, so that memory does not grow with its length.
  static let pairLimit = 1 << 16
  private let perFrame: Int
  private var relative: [Double] = []
  private var disparity: [Double] = []
  /// - Parameter frameCount: Frames of the scene; each gets an equal share of the kept pairs.
  public init(frameCount: Int) { perFrame = max(1, Self.pairLimit / max(1, frameCount)) }

  /// Adds a frame's pairs, selected as for least squares and thinned evenly; a frame without a relative map adds
  /// nothing.
  public mutating func add(_ frame: DepthFrame, options: FusionOptions = FusionOptions()) {
    guard let map = frame.relative else { return }
    let pairs = PairSelection(frame, relative: map, estimator: .ols, space: .disparity, options: options)
      .problem.thinned(to: perFrame)
    relative += pairs.x
    disparity += pairs.y
  }

  /// Spearman's ρ of relative value and 1/d; nil for fewer than two pairs or constant values.
  public var correlation: Double? { RankCorrelation.spearman(relative, disparity) }

  /// The kind that the pairs support.
  public var kind: RelativeKind {
    guard let correlation, abs(correlation) >= Self.undecidedBelow else { return .unknown }
    return correlation > 0 ? .disparity : .depth
  }
}
