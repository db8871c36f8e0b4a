internal import CFathomKernels
public import DepthCore

/// Carries one LiDAR map into the raster of another frame of the same scene.
///
/// Every return is unprojected, moved by the two poses and splatted bilinearly, so that on a plane the weighted mean
/// at a pixel's centre is right. A z-buffer over the splats' footprints keeps what is in front.
public struct FrameWarp: Sendable {
  /// Depth in the target's camera, metres, row by row; NaN where nothing fell.
  public let depth: [Float]
  /// Weight of the returns that fell there, averaged like the depth.
  public let weight: [Float]
  /// Depths up to this share behind the nearest belong to the same surface.
  static let surfaceDepth = 0.05
  /// Least splat weight of a pixel.
  static let leastCoverage = 0.25

  /// - Parameter source: LiDAR map to be moved.
  /// - Parameter weights: One per pixel of `source`.
  /// - Parameter size: Raster of the target, whose camera is `targetCamera`.
  /// - Parameter targetFromSource: Between the two cameras, in OpenCV axes.
  /// - Precondition: one weight per pixel.
  public init(
    _ source: DepthMap, _ camera: CameraIntrinsics, weights: [Double],
    to size: RasterSize, _ targetCamera: CameraIntrinsics, targetFromSource: RigidTransform
  ) {
    precondition(weights.count == source.values.count, "a weight for each pixel")
    var (from, to) = (Self.projection(camera, source.size), Self.projection(targetCamera, size))
    var motion = Self.projection(targetFromSource)
    var weight = [Float](repeating: 0, count: size.count)
    depth = [Float](unsafeUninitializedCapacity: size.count) { depth, count in
      weight.withUnsafeMutableBufferPointer { weight in
        let room = projection_carry_room(&from, &to)
        withUnsafeTemporaryAllocation(of: Double.self, capacity: room) { room in
          guard let room = room.baseAddress, let depth = depth.baseAddress, let weight = weight.baseAddress
          else { return }
          projection_carry(
            source.values, weights, &from, &motion, &to, Self.surfaceDepth, Self.leastCoverage, room, depth,
            weight)
          count = size.count
        }
      }
    }
    self.weight = weight
  }

  /// The depths alone, of returns that all weigh the same.
  /// - Parameter depth: Takes them, row by row; NaN where nothing fell.
  /// - Precondition: `depth` has room for one number per pixel of `size`.
  package static func carry(
    _ source: DepthMap, _ camera: CameraIntrinsics, to size: RasterSize, _ targetCamera: CameraIntrinsics,
    targetFromSource: RigidTransform, into depth: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(depth.count == size.count, "room for each pixel")
    var (from, to) = (projection(camera, source.size), projection(targetCamera, size))
    var motion = projection(targetFromSource)
    withUnsafeTemporaryAllocation(of: Double.self, capacity: projection_carry_room(&from, &to)) { room in
      guard let room = room.baseAddress, let depth = depth.baseAddress else { return }
      projection_carry_alike(
        source.values, &from, &motion, &to, surfaceDepth, leastCoverage, room, depth)
    }
  }

  private static func projection(_ camera: CameraIntrinsics, _ size: RasterSize) -> projection_camera {
    let own = camera.scaled(to: size)
    return projection_camera(
      fx: own.fx, fy: own.fy, cx: own.cx, cy: own.cy, width: size.width, height: size.height)
  }

  private static func projection(_ motion: RigidTransform) -> projection_motion {
    let (x, y, z, t) = (motion.xAxis, motion.yAxis, motion.zAxis, motion.translation)
    return projection_motion(
      columns: (x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z), offset: (t.x, t.y, t.z))
  }
}
