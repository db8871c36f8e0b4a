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
  /// Where the same ray ends in the true depth, from the same camera; nil where that is not known.
  public var truth: SIMD3<Double>?
  /// The true box.
  public var box: OrientedBox?

  public init(
    label: String?, index: Int?, at point: (u: Double, v: Double), depth: Double, camera: PosedCamera,
    planes: [HorizontalPlane], truth: SIMD3<Double>? = nil, box: OrientedBox? = nil
  ) {
    (self.label, self.index, (u, v), self.depth) = (label, index, point, depth)
    (self.camera, self.planes, self.truth, self.box) = (camera, planes, truth, box)
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
    guard let label, let box else { return nil }
    let centre = [box.center.x, box.center.y, box.center.z].map { ($0 * 1000).rounded() }
    return "\(label) \(centre)"
  }

  /// A depth map with the planes in it.
  private struct Ground {
    let map: DepthMap, confidence: Raster<UInt8>?, planes: [HorizontalPlane]

    init(_ map: DepthMap, _ confidence: Raster<UInt8>?, _ camera: PosedCamera) {
      (self.map, self.confidence) = (map, confidence)
      planes = HorizontalPlaneFinder().planes(in: map, confidence: confidence, camera: camera)
    }

    /// LiDAR and truth, which is looked at where the LiDAR is as sure.
    static func both(of frame: DepthFrame, _ camera: PosedCamera) -> (lidar: Ground, truth: Ground?) {
      (
        Ground(frame.lidar, frame.confidence, camera),
        frame.truth.map { Ground($0, frame.confidence, camera) }
      )
    }
  }

  /// The objects of a frame that have a depth.
  /// - Parameter objects: With their positions in the scene's detections, true boxes in a y-up world.
  /// - Parameter frame: Its truth has the LiDAR's resolution.
  /// - Parameter camera: Of the frame, in a y-up world.
  public static func targets(
    _ objects: [(index: Int, object: DetectedObject)], conventions: DetectionConventions,
    in frame: DepthFrame, camera: PosedCamera, anchor: PlacementAnchor
  ) -> [ReplayTarget] {
    let (lidar, truth) = Ground.both(of: frame, camera)
    return objects.compactMap { index, object in
      func target(in ground: Ground) -> ReplayTarget? {
        (try? ObjectPoints(
          of: object, in: ground.map, confidence: ground.confidence, camera: camera, conventions: conventions))
          .map { points in
            ReplayTarget(
              label: object.label, index: index, at: anchor.point(in: points.imageBox, seenBy: camera),
              depth: points.medianDepth, camera: camera, planes: ground.planes, box: object.truth)
          }
      }
      var found = target(in: lidar)
      found?.truth = truth.flatMap(target)?.place
      return found
    }
  }

  /// A tap in the middle of the picture, for a scene without detections; nil where there is no depth.
  /// - Parameter frame: Its truth has the LiDAR's resolution.
  public static func tap(in frame: DepthFrame, camera: PosedCamera) -> ReplayTarget? {
    let size = camera.intrinsics.imageSize
    func target(in ground: Ground) -> ReplayTarget? {
      ground.map.middle.map { depth in
        ReplayTarget(
          label: nil, index: nil, at: (Double(size.width) / 2, Double(size.height) / 2), depth: depth,
          camera: camera, planes: ground.planes)
      }
    }
    let (lidar, truth) = Ground.both(of: frame, camera)
    var found = target(in: lidar)
    found?.truth = truth.flatMap(target)?.place
    return found
  }
}

extension Raster where Element == Float {
  private static var tapReach: Int { 2 }  // Pixels around a tap that count.

  /// Median depth around the middle; nil where there is none.
  fileprivate var middle: Double? {
    guard width > 0, height > 0 else { return nil }
    let rows = Swift.max(0, height / 2 - Self.tapReach)...Swift.min(height - 1, height / 2 + Self.tapReach)
    let columns = Swift.max(0, width / 2 - Self.tapReach)...Swift.min(width - 1, width / 2 + Self.tapReach)
    let near = rows.flatMap { row in columns.map { Double(self[row, $0]) } }
    return OrderStatistics.median(of: near.filter { $0 > 0 && $0.isFinite })
  }
}
