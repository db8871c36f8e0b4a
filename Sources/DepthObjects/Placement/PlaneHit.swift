/// A ray from the camera against horizontal planes.
public struct PlaneHit: Sendable, Hashable {
  /// World, metres.
  public let position: SIMD3<Double>
  /// Planar, metres.
  public let depth: Double
  /// Index of the plane.
  public let plane: Int

  /// The nearest plane, within its extent, that the ray through an image point meets from above.
  /// - Parameter u: Column of the camera's image, from its left edge.
  /// - Parameter v: Row, from its top edge.
  /// - Parameter planes: In the camera's y-up world.
  /// - Returns: nil where there is none.
  public static func first(
    u: Double, v: Double, camera: PosedCamera, planes: [HorizontalPlane]
  ) -> PlaneHit? {
    let direction = camera.direction(u: u, v: v)
    guard direction.y < 0 else { return nil }
    var nearest: PlaneHit?
    for (index, plane) in planes.enumerated() {
      let depth = (plane.height - camera.position.y) / direction.y
      let point = camera.position + direction * depth
      guard depth > 0, depth < nearest?.depth ?? .infinity, plane.covers(x: point.x, z: point.z)
      else { continue }
      nearest = PlaneHit(position: point, depth: depth, plane: index)
    }
    return nearest
  }
}
