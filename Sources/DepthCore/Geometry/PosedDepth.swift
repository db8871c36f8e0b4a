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
    let size = target.depth.size
    var buffer = [Double](repeating: .infinity, count: size.count)
    guard let motion = CameraMotion(from: self, to: target) else { return buffer }
    let from = intrinsics.scaled(to: depth.size)
    let to = target.intrinsics.scaled(to: size)
    for row in 0..<depth.height {
      let v = (Double(row) + 0.5 - from.cy) / from.fy
      for column in 0..<depth.width {
        let z = Double(depth[row, column])
        guard z > 0 && z.isFinite else { continue }
        let u = (Double(column) + 0.5 - from.cx) / from.fx
        let seen = motion(SIMD3(u * z, v * z, z))
        guard seen.z > 0 else { continue }
        let x = seen.x / seen.z * to.fx + to.cx, y = seen.y / seen.z * to.fy + to.cy
        guard x >= 0, y >= 0, x < Double(size.width), y < Double(size.height) else { continue }
        let index = Int(y) * size.width + Int(x)
        buffer[index] = min(buffer[index], seen.z)
      }
    }
    return buffer
  }
}
