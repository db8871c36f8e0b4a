public import DepthFusion

/// How well the depth of one frame, moved by the camera's motion, agrees with that of the next.
///
/// Every pixel of one map is unprojected, moved and splatted to the nearest pixel of the other map's raster, the
/// nearest depth winning; the error is mean |z_warped − d|/d over the pixels that receive one. Both directions are
/// averaged. Source: Video-Depth-Anything, `eval_tae.py`; domain §3.
public enum TemporalConsistency {
  /// A map with its camera.
  public struct View: Sendable {
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
  }

  /// temporal_abs_rel of two views of one scene.
  ///
  /// - Returns: nil where the convention is unknown or the views do not overlap.
  public static func absRel(_ first: View, _ second: View) -> Double? {
    guard first.convention != .unknown, second.convention != .unknown else { return nil }
    let directions = [(first, second), (second, first)].compactMap { oneWay(from: $0, to: $1) }
    return directions.isEmpty ? nil : directions.reduce(0, +) / Double(directions.count)
  }

  private static func oneWay(from source: View, to target: View) -> Double? {
    let warped = warp(source, into: target)
    var (sum, count) = (0.0, 0)
    for (z, d) in zip(warped, target.depth.values) where z.isFinite && d > 0 && d.isFinite {
      sum += abs(z - Double(d)) / Double(d)
      count += 1
    }
    return count > 0 ? sum / Double(count) : nil
  }

  /// Depth of the source seen from the target's camera, in the target's raster; infinite where nothing lands.
  ///
  /// Nearest splat with z-buffer.
  public static func warp(_ source: View, into target: View) -> [Double] {
    let size = target.depth.size
    var buffer = [Double](repeating: .infinity, count: size.count)
    guard let motion = CameraMotion(from: source, to: target) else { return buffer }
    let from = source.intrinsics.scaled(to: source.depth.size)
    let to = target.intrinsics.scaled(to: size)
    for row in 0..<source.depth.height {
      let v = (Double(row) + 0.5 - from.cy) / from.fy
      for column in 0..<source.depth.width {
        let z = Double(source.depth[row, column])
        guard z > 0 && z.isFinite else { continue }
        let u = (Double(column) + 0.5 - from.cx) / from.fx
        let seen = motion(SIMD3(u * z, v * z, z))
        guard seen.z > 0 else { continue }
        let x = (seen.x / seen.z * to.fx + to.cx).rounded(.down)
        let y = (seen.y / seen.z * to.fy + to.cy).rounded(.down)
        guard x >= 0, y >= 0, x < Double(size.width), y < Double(size.height) else { continue }
        let index = Int(y) * size.width + Int(x)
        buffer[index] = min(buffer[index], seen.z)
      }
    }
    return buffer
  }
}
