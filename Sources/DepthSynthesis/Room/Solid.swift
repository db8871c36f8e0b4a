internal import DepthCore
internal import Foundation

/// An upright convex body in the world: a box turned about the vertical, or a vertical cylinder.
struct Solid: Sendable {
  enum Shape: Sendable {
    case box
    /// Inscribed in its frame; `size.x` is the diameter.
    case cylinder
  }
  var shape: Shape
  /// Centre, extent and yaw in the world.
  var frame: OrientedBox
  var material: Material
  /// World point → the body's own axes, centred on it: along its length, up, along its width.
  func local(_ point: SIMD3<Double>) -> SIMD3<Double> { frame.rotated(point - frame.center) }

  /// Outward normal, world, at a point of the surface.
  func normal(at point: SIMD3<Double>) -> SIMD3<Double> {
    let p = local(point), half = frame.size / 2
    if shape == .cylinder, abs(abs(p.y) - half.y) > abs((p.x * p.x + p.z * p.z).squareRoot() - half.x) {
      let outward = SIMD3(p.x, 0, p.z)
      return frame.unrotated(outward / (outward * outward).sum().squareRoot())
    }
    if shape == .cylinder { return [0, p.y < 0 ? -1 : 1, 0] }
    return frame.unrotated(frame.faceNormal(at: p))
  }
}

extension OrientedBox {
  /// A world direction along the box's axes (length, up, width).
  func rotated(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let (c, s) = (cos(yaw), sin(yaw))
    return [c * v.x + s * v.z, v.y, -s * v.x + c * v.z]
  }

  /// The inverse of `rotated`.
  func unrotated(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let (c, s) = (cos(yaw), sin(yaw))
    return [c * v.x - s * v.z, v.y, s * v.x + c * v.z]
  }

  /// Outward unit normal, along the box's axes, of the face nearest to a point given along them.
  func faceNormal(at p: SIMD3<Double>) -> SIMD3<Double> {
    let half = size / 2, inside = SIMD3(half.x - abs(p.x), half.y - abs(p.y), half.z - abs(p.z))
    if inside.x <= inside.y && inside.x <= inside.z { return [p.x < 0 ? -1 : 1, 0, 0] }
    if inside.y <= inside.z { return [0, p.y < 0 ? -1 : 1, 0] }
    return [0, 0, p.z < 0 ? -1 : 1]
  }

  /// The eight corners, world.
  var corners: [SIMD3<Double>] {
    (0..<8).map { i in
      let sign = SIMD3(i & 1 == 0 ? -0.5 : 0.5, i & 2 == 0 ? -0.5 : 0.5, i & 4 == 0 ? -0.5 : 0.5)
      return center + unrotated(size * sign)
    }
  }
}
