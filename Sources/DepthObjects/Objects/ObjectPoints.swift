public import DepthCore

/// What is known of one detected object: the points that a box is fitted to, and how they were seen.
///
/// Which points these are is the choice of the method (``BoxMethod/selection``).
public struct ObjectPoints: Sendable, Hashable {
  /// World, y up, metres.
  public var points: [SIMD3<Double>]
  /// Planar depth of each point, metres.
  public var depths: [Double]
  /// Positions of points on the mask's rim: ``ObjectDepths/Sample/isRim``.
  public var rim: Set<Int>
  public var camera: PosedCamera
  /// Detected box, pixels of the camera's image, rows counted from the top.
  public var imageBox: PixelRectangle
  /// Median depth of the object, metres.
  public var medianDepth: Double

  /// - Precondition: One depth per point.
  public init(
    points: [SIMD3<Double>], depths: [Double], camera: PosedCamera, imageBox: PixelRectangle,
    medianDepth: Double, rim: Set<Int> = []
  ) {
    precondition(points.count == depths.count, "one depth per point")
    (self.points, self.depths, self.camera) = (points, depths, camera)
    (self.imageBox, self.medianDepth, self.rim) = (imageBox, medianDepth, rim)
  }
}
