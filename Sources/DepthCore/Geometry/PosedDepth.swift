internal import CFathomKernels

/// A map with its camera.
public struct PosedDepth: Sendable {
  /// Metres; not finite or ≤ 0 is missing.
  public var depth: DepthMap
  /// Intrinsics of any image size.
  public var intrinsics: CameraIntrinsics
  /// Pose, in the convention below.
  public var worldFromCamera: RigidTransform
  /// Axes of the camera.
  public var convention: CameraConvention

  public init(
    depth: DepthMap, intrinsics: CameraIntrinsics, worldFromCamera: RigidTransform,
    convention: CameraConvention
  ) {
    (self.depth, self.intrinsics) = (depth, intrinsics)
    (self.worldFromCamera, self.convention) = (worldFromCamera, convention)
  }

  /// The depth seen from the camera of another view, in that view's raster; infinite where nothing lands.
  ///
  /// Nearest splat with z-buffer.
  public func warped(into target: PosedDepth) -> [Double] {
    guard let motion = CameraMotion(from: self, to: target) else {
      return Array(repeating: .infinity, count: target.depth.size.count)
    }
    var (from, to, step) = (camera, target.camera, motion.projection)
    return Array(unsafeUninitializedCapacity: target.depth.size.count) { buffer, count in
      count = buffer.count
      guard let start = buffer.baseAddress else { return }
      depth.values.withUnsafeBufferPointer { projection_splat($0.baseAddress, &from, &step, &to, start) }
    }
  }

  /// For every pixel the depth that another view reads, bilinearly, where the pixel's point falls, minus the point's own
  /// depth in that view's camera, metres.
  ///
  /// NaN where the pixel has no depth, or the point falls outside the other view's outermost pixel centres, or a missing
  /// neighbour has weight.
  /// - Returns: Row by row of this view's raster; nil where a pose is not a rigid transform.
  public func excess(in other: PosedDepth) -> [Double]? {
    guard let motion = CameraMotion(from: self, to: other) else { return nil }
    var (from, to, step) = (camera, other.camera, motion.projection)
    return Array(unsafeUninitializedCapacity: depth.size.count) { buffer, count in
      guard let start = buffer.baseAddress, other.depth.size.count > 0 else { return }
      count = depth.size.count
      depth.values.withUnsafeBufferPointer { depth in
        other.depth.values.withUnsafeBufferPointer {
          projection_excess(depth.baseAddress, &from, &step, $0.baseAddress, &to, start)
        }
      }
    }
  }

  /// Mean of |z − d|/d of this view's depth d over the pixels where both have a value; nil where none has.
  /// - Parameter warped: Depths z of as many pixels, metres; infinite is none.
  /// - Precondition: One for every pixel.
  public func meanRelativeDifference(of warped: [Double]) -> Double? {
    precondition(warped.count == depth.values.count, "one depth for every pixel")
    var count = 0
    let sum = depth.values.withUnsafeBufferPointer {
      projection_difference(warped, $0.baseAddress, warped.count, &count)
    }
    return count > 0 ? sum / Double(count) : nil
  }

  /// How depths that were carried into this view agree with its own in a part of its raster.
  /// - Parameter warped: Depths z of as many pixels, metres; infinite is none.
  /// - Parameter limit: A relative difference counts as this at most.
  /// - Returns: Pixels with a depth d; those of them where something lands; those of these where |z/d − 1| is below the
  ///   limit; and the sum of min(|z/d − 1|, limit) over what lands.
  /// - Precondition: One depth for every pixel, and the part is within the raster.
  public func agreement(
    with warped: [Double], in part: (rows: Range<Int>, columns: Range<Int>), limit: Double
  ) -> (known: Int, landed: Int, agreeing: Int, sum: Double) {
    precondition(warped.count == depth.values.count, "one depth for every pixel")
    precondition(
      (0..<depth.height + 1).contains(part.rows.upperBound) && part.rows.lowerBound >= 0
        && (0..<depth.width + 1).contains(part.columns.upperBound) && part.columns.lowerBound >= 0,
      "the part is within the raster")
    var result = projection_meeting()
    let start = part.rows.lowerBound * depth.width + part.columns.lowerBound
    depth.values.withUnsafeBufferPointer { own in
      warped.withUnsafeBufferPointer { warped in
        guard let own = own.baseAddress, let warped = warped.baseAddress, !part.rows.isEmpty else { return }
        result = projection_agreement(
          warped + start, own + start, depth.width, part.columns.count, part.rows.count, limit)
      }
    }
    return (Int(result.known), Int(result.landed), Int(result.agreeing), result.sum)
  }

  private var camera: projection_camera {
    let scaled = intrinsics.scaled(to: depth.size)
    return projection_camera(
      fx: scaled.fx, fy: scaled.fy, cx: scaled.cx, cy: scaled.cy, width: depth.width, height: depth.height)
  }
}

extension CameraMotion {
  fileprivate var projection: projection_motion {
    let (a, b, c) = columns
    return projection_motion(
      columns: (a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z), offset: (offset.x, offset.y, offset.z))
  }
}
