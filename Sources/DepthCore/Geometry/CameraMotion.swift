/// Where a point that one camera sees lies for another: `p ↦ A p + b`, in OpenCV axes on both sides.
public struct CameraMotion: Sendable {
  @usableFromInline let columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
  @usableFromInline let offset: SIMD3<Double>

  /// - Returns: nil where a pose is not a rigid transform.
  ///
  /// The target's rotation is inverted as it is, not transposed: rotations in files are often rounded (7-Scenes' by
  /// 1e-4), and a camera that stands still must not seem to move.
  public init?(from source: PosedDepth, to target: PosedDepth) {
    let (a, b, c) = (target.worldFromCamera.xAxis, target.worldFromCamera.yAxis, target.worldFromCamera.zAxis)
    let volume = (a * Self.cross(b, c)).sum()
    guard abs(volume) > 1e-9 else { return nil }
    let rows = (Self.cross(b, c) / volume, Self.cross(c, a) / volume, Self.cross(a, b) / volume)
    // OpenCV axes (x right, y down, z forward) inside; ARKit's y and z point the other way.
    let (flipFrom, flipTo) = (Self.flip(source.convention), Self.flip(target.convention))
    func seen(_ v: SIMD3<Double>) -> SIMD3<Double> {
      flipTo * SIMD3((rows.0 * v).sum(), (rows.1 * v).sum(), (rows.2 * v).sum())
    }
    let pose = source.worldFromCamera
    columns = (seen(pose.xAxis * flipFrom.x), seen(pose.yAxis * flipFrom.y), seen(pose.zAxis * flipFrom.z))
    offset = seen(pose.translation - target.worldFromCamera.translation)
  }

  /// A point in the target's camera, metres.
  @inlinable public func callAsFunction(_ p: SIMD3<Double>) -> SIMD3<Double> {
    columns.0 * p.x + columns.1 * p.y + columns.2 * p.z + offset
  }

  private static func flip(_ convention: CameraConvention) -> SIMD3<Double> {
    convention == .arkit ? [1, -1, -1] : [1, 1, 1]
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
  }
}
