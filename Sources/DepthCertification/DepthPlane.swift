import Foundation

/// A plane before a pinhole camera, as the inverse of depth: 1/z = p·r for the ray r = (x, y, 1). p = n/h, with the unit normal n towards the
/// plane and its distance h from the camera centre, metres.
public struct DepthPlane: Sendable, Hashable {
  /// 1/m.
  public var p: SIMD3<Double>
  public init(_ p: SIMD3<Double>) { self.p = p }
  /// Perpendicular distance of the camera centre, metres.
  public var distance: Double { 1 / (p * p).sum().squareRoot() }
  /// Where the optical axis meets it, metres.
  public var axisDistance: Double { 1 / p.z }
  /// As a tape reads it, metres.
  func distance(_ tape: TapeReading) -> Double { tape == .perpendicular ? distance : axisDistance }

  /// What the same depths of the same pixels are with other intrinsics: 1/z is linear in the pixel.
  /// - Parameter change: Of the focal length and of the principal point's coordinates, shares of the focal length.
  func changed(_ change: SIMD3<Double>) -> DepthPlane {
    DepthPlane(
      SIMD3(p.x * (1 + change.x), p.y * (1 + change.x), p.z + p.x * change.y + p.y * change.z))
  }

  /// Angle between the optical axis and the normal, radians.
  public var tilt: Double { acos(min(1, max(-1, p.z * distance))) }

  /// Unit normal, away from the camera.
  var normal: SIMD3<Double> { p * distance }

  /// Between the normals, radians.
  func angle(to other: DepthPlane) -> Double {
    let chord = normal - other.normal
    return 2 * asin(min(1, (chord * chord).sum().squareRoot() / 2))
  }

  /// Planar depth on a ray, metres; negative or infinite where the ray does not meet the plane.
  @inline(__always) func depth(_ ray: SIMD3<Double>) -> Double { 1 / (p * ray).sum() }

  /// Least squares of depth along the optical axis, by Gauss and Newton from this plane. Errors of depth maps lie along this axis; a fit of
  /// perpendicular distances would be biased where the plane is tilted.
  /// - Returns: The plane and the inverse of its normal matrix, 1/m⁴; nil where the pixels do not determine a plane.
  func refined(_ pixels: [Int], _ depth: [Double], _ rays: [SIMD3<Double>]) -> (
    plane: DepthPlane, inverse: [SIMD3<Double>]
  )? {
    var plane = self
    for _ in 0..<6 {
      guard let (step, inverse) = plane.step(pixels, depth, rays) else { return nil }
      plane.p += step
      if (step * step).sum() <= 1e-24 * (plane.p * plane.p).sum() { return (plane, inverse) }
    }
    return plane.step(pixels, depth, rays).map { (plane, $0.inverse) }
  }

  private func step(_ pixels: [Int], _ depth: [Double], _ rays: [SIMD3<Double>]) -> (
    SIMD3<Double>, inverse: [SIMD3<Double>]
  )? {
    var rows = [SIMD3<Double>](repeating: .zero, count: 3)
    var right = SIMD3<Double>.zero
    for pixel in pixels {
      let ray = rays[pixel]
      let z = self.depth(ray)
      guard z.isFinite, z > 0 else { return nil }
      let slope = -z * z * ray
      for axis in 0..<3 { rows[axis] += slope[axis] * slope }
      right += slope * (depth[pixel] - z)
    }
    guard let inverse = inverted(rows) else { return nil }
    return (
      SIMD3((inverse[0] * right).sum(), (inverse[1] * right).sum(), (inverse[2] * right).sum()), inverse
    )
  }

  /// The plane through three points; nil where they are on one line with the camera.
  init?(through points: [(ray: SIMD3<Double>, depth: Double)]) {
    guard let inverse = inverted(points.map(\.ray)) else { return nil }
    let right = SIMD3(1 / points[0].depth, 1 / points[1].depth, 1 / points[2].depth)
    p = SIMD3((inverse[0] * right).sum(), (inverse[1] * right).sum(), (inverse[2] * right).sum())
  }
}

/// Rows of the inverse of a 3×3 matrix; nil where it is singular.
func inverted(_ m: [SIMD3<Double>]) -> [SIMD3<Double>]? {
  let columns = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])]
  let determinant = (m[0] * columns[0]).sum()
  let size = m.map { ($0 * $0).sum().squareRoot() }.reduce(1, *)
  guard size > 0, abs(determinant) > 1e-12 * size else { return nil }
  return (0..<3).map { row in SIMD3(columns[0][row], columns[1][row], columns[2][row]) / determinant }
}

func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
