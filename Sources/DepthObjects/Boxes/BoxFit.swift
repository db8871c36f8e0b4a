public import DepthCore

/// A fitted box, and how it came about.
public struct BoxFit: Sendable, Hashable {
  /// The upright box. For `pca-3d` it encloses the same points at the heading of ``posed``.
  public var box: OrientedBox
  /// The box that overlaps are computed with: ``box``, unless the method turns about all three axes.
  public var posed: PosedBox
  public var diagnostics: BoxDiagnostics

  /// An upright box.
  public init(_ box: OrientedBox, _ diagnostics: BoxDiagnostics) {
    self.init(box, posed: PosedBox(box), diagnostics)
  }

  public init(_ box: OrientedBox, posed: PosedBox, _ diagnostics: BoxDiagnostics) {
    (self.box, self.posed, self.diagnostics) = (box, posed, diagnostics)
  }
}

/// How a box came about.
public struct BoxDiagnostics: Sendable, Hashable {
  /// Method that was used; differs from the one asked for where that one chooses.
  public var method: String
  /// Points that the box was fitted to.
  public var pointCount: Int
  /// 1 − λ₂/λ₁ of the footprint's covariance: 0 where its principal axes are undetermined, 1 for a line; nil for
  /// a method that does not look at the footprint.
  public var eigenvalueGap: Double?
  /// Of the yaw; given where the footprint is nearly square and the yaw is estimated.
  public var yawInterval: YawInterval?
  /// Why the method chose as it did, for people.
  public var reason: String

  public init(
    method: String, pointCount: Int, eigenvalueGap: Double? = nil, yawInterval: YawInterval? = nil,
    reason: String
  ) {
    (self.method, self.pointCount, self.eigenvalueGap) = (method, pointCount, eigenvalueGap)
    (self.yawInterval, self.reason) = (yawInterval, reason)
  }
}

/// 95 % percentile bootstrap interval of a yaw, radians about the box's yaw: never wider than −45°…45°, because a
/// box is the same after a quarter turn.
public struct YawInterval: Sendable, Hashable, BitwiseCopyable {
  /// Lower end minus yaw, at most 0 but for skewed resamples; radians.
  public var below: Double
  /// Upper end minus yaw, radians.
  public var above: Double
  public init(below: Double, above: Double) { (self.below, self.above) = (below, above) }
}
