internal import Foundation
import FathomLinearAlgebra

/// An object's points seen from above: (x, z), metres.
struct Footprint: Sendable {
  let points: [SIMD2<Double>]
  init(_ points: [SIMD2<Double>]) { self.points = points }
  init(_ points: [SIMD3<Double>]) { self.points = points.map { [$0.x, $0.z] } }
  /// x and z of all points, in arrays of their own.
  var coordinates: (x: [Double], z: [Double]) { (points.map { $0.x }, points.map { $0.y }) }

  /// Mean and covariance (divided by n).
  struct Moments: Sendable {
    var mean: SIMD2<Double>, xx: Double, xz: Double, zz: Double

    init(_ points: some Collection<SIMD2<Double>>) {
      let n = Double(points.count)
      let mean = points.reduce(SIMD2<Double>.zero, +) / n
      var (xx, xz, zz) = (0.0, 0.0, 0.0)
      for point in points {
        let d = point - mean
        xx += d.x * d.x
        xz += d.x * d.y
        zz += d.y * d.y
      }
      (self.mean, self.xx, self.xz, self.zz) = (mean, xx / n, xz / n, zz / n)
    }

    /// Principal axis and 1 − λ₂/λ₁.
    /// - Throws: `BoxError` `.numerical`.
    func principalAxes() throws(BoxError) -> (yaw: Double, gap: Double) {
      let eigen: SymmetricEigen
      do { eigen = try SymmetricEigen(Matrix(rows: [[xx, xz], [xz, zz]])) } catch {
        throw .numerical("\(error)")
      }
      let yaw = atan2(eigen.vectors[1, 1], eigen.vectors[0, 1])
      let (low, high) = (max(0, eigen.values[0]), eigen.values[1])
      // The axis has no sign: −90°…90°, as atan2(2Cxz, Cxx − Czz)/2 gives it.
      let axis = yaw > .pi / 2 ? yaw - .pi : yaw <= -.pi / 2 ? yaw + .pi : yaw
      return (axis, high > 0 ? 1 - low / high : 0)
    }

    /// atan2(2Cxz, Cxx − Czz)/2: the same axis in closed form, for resamples.
    var principalYaw: Double { atan2(2 * xz, xx - zz) / 2 }
  }

  var moments: Moments { Moments(points) }

  /// Unit vectors (x, z) along the length and the width of a box at `yaw`.
  static func axes(yaw: Double) -> (length: SIMD2<Double>, width: SIMD2<Double>) {
    let (c, s) = (cos(yaw), sin(yaw))
    return ([c, s], [-s, c])
  }
}

extension SIMD2<Double> {
  func dot(_ other: SIMD2<Double>) -> Double { x * other.x + y * other.y }
}
