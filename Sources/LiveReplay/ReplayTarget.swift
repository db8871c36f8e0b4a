public import DepthCore
public import DepthObjects

/// Something in a recorded frame that an effect is placed on: what an app would hand to `hitTest(_:types:)` when the result of
/// the analysis is there (seed "Using Vision in Real Time with ARKit").
public struct ReplayTarget: Sendable {
  /// Class name of an object; nil for a tap in the middle of the picture.
  public var label: String?
  /// Position in the scene's detections; nil for a tap.
  public var index: Int?
  /// Where the ray starts, pixels of the camera's image.
  public var u: Double, v: Double
  /// Median depth of the object, metres: where the ray ends that meets no plane.
  public var depth: Double
  /// The camera that saw it.
  public var camera: PosedCamera
  /// Horizontal planes of its frame.
  public var planes: [HorizontalPlane]
  /// The true box.
  public var truth: OrientedBox?

  public init(
    label: String?, index: Int?, at point: (u: Double, v: Double), depth: Double, camera: PosedCamera,
    planes: [HorizontalPlane], truth: OrientedBox?
  ) {
    (self.label, self.index, (u, v), self.depth) = (label, index, point, depth)
    (self.camera, self.planes, self.truth) = (camera, planes, truth)
  }

  /// Where the ray through the target's point meets what is there, from a camera: the nearest plane, or the median depth.
  public func place(with camera: PosedCamera) -> SIMD3<Double> {
    PlaneHit.first(u: u, v: v, camera: camera, planes: planes)?.position
      ?? camera.point(u: u, v: v, depth: depth)
  }

  /// With the pose of the frame that was analysed.
  public var place: SIMD3<Double> { place(with: camera) }

  /// What tells it from other objects of the scene, in every frame; nil where nothing does.
  var identity: String? {
    guard let label, let truth else { return nil }
    let centre = [truth.center.x, truth.center.y, truth.center.z].map { ($0 * 1000).rounded() }
    return "\(label) \(centre)"
  }
}

extension ReplayTarget {
  /// The objects of a frame that have a depth.
  ///
  /// - Parameters:
  ///   - objects: With their positions in the scene's detections, true boxes in a y-up world.
  ///   - camera: Of the frame, in a y-up world.
  public static func targets(
    _ objects: [(index: Int, object: DetectedObject)], conventions: DetectionConventions, in frame: DepthFrame,
    camera: PosedCamera, anchor: PlacementAnchor, planes: PlaneOptions = PlaneOptions()
  ) -> [ReplayTarget] {
    let found = HorizontalPlaneFinder(options: planes).planes(
      in: frame.lidar, confidence: frame.confidence, camera: camera)
    return objects.compactMap { index, object in
      guard
        let points = try? ObjectPoints(of: object, in: frame, camera: camera, conventions: conventions)
      else { return nil }
      return ReplayTarget(
        label: object.label, index: index, at: anchor.point(in: points.imageBox, seenBy: camera),
        depth: points.medianDepth, camera: camera, planes: found, truth: object.truth)
    }
  }

  /// A tap in the middle of the picture, for a scene without detections; nil where there is no depth.
  public static func tap(
    in frame: DepthFrame, camera: PosedCamera, planes: PlaneOptions = PlaneOptions()
  ) -> ReplayTarget? {
    let map = frame.lidar
    guard map.width > 0, map.height > 0 else { return nil }
    let (row, column) = (map.height / 2, map.width / 2)
    let rows = max(0, row - tapReach)...min(map.height - 1, row + tapReach)
    let columns = max(0, column - tapReach)...min(map.width - 1, column + tapReach)
    let near = rows.flatMap { row in columns.map { Double(map[row, $0]) } }.filter { $0 > 0 && $0.isFinite }
    guard let depth = OrderStatistics.median(of: near) else { return nil }
    let size = camera.intrinsics.imageSize
    return ReplayTarget(
      label: nil, index: nil, at: (Double(size.width) / 2, Double(size.height) / 2), depth: depth,
      camera: camera,
      planes: HorizontalPlaneFinder(options: planes).planes(
        in: map, confidence: frame.confidence, camera: camera), truth: nil)
  }

  /// Depth pixels around a tap that count.
  private static let tapReach = 2
}
