import DepthCore
internal import Foundation
import FathomLinearAlgebra

extension BoxMethod {
  /// Principal axes in space. The fit's `posed` box has them as its axes; its `box` is upright, at the heading of
  /// the axis that is most level among the two largest.
  public static let pca3D = BoxMethod(
    id: "pca-3d", title: "principal axes in space",
    source: "eigenvectors of the 3×3 covariance (LAPACK xSYEV), min/max along them", selection: .eroded
  ) { object, options, _ throws(BoxError) in
    let axes = try principalAxes(object.points)
    var low = SIMD3<Double>(repeating: .infinity), high = SIMD3<Double>(repeating: -.infinity)
    for p in object.points {
      let q = SIMD3(axes[0].dot(p), axes[1].dot(p), axes[2].dot(p))
      low = pointwiseMin(low, q)
      high = pointwiseMax(high, q)
    }
    let middle = (low + high) / 2
    let pose = RigidTransform(
      xAxis: axes[0], yAxis: axes[1], zAxis: axes[2],
      translation: axes[0] * middle.x + axes[1] * middle.y + axes[2] * middle.z)
    let posed = PosedBox(pose: pose, size: pointwiseMax(high - low, SIMD3(repeating: options.sizeFloor)))
    let level = abs(axes[0].y) <= abs(axes[1].y) ? axes[0] : axes[1]
    let gap = try Footprint(object.points).moments.principalAxes().gap
    return BoxFit(
      PointExtent(object.points, yaw: atan2(level.z, level.x)).box(floor: options.sizeFloor), posed: posed,
      BoxDiagnostics(
        method: "pca-3d", pointCount: object.points.count, eigenvalueGap: gap,
        reason: "directions of the largest variances in space"))
  }

  /// Right-handed, largest variance first.
  private static func principalAxes(_ points: [SIMD3<Double>]) throws(BoxError) -> [SIMD3<Double>] {
    let mean = points.reduce(SIMD3<Double>.zero, +) / Double(points.count)
    var covariance = Matrix(rows: 3, columns: 3, columnMajor: [Double](repeating: 0, count: 9))
    for point in points {
      let d = point - mean
      for i in 0..<3 { for j in i..<3 { covariance[i, j] += d[i] * d[j] / Double(points.count) } }
    }
    let eigen: SymmetricEigen
    do { eigen = try SymmetricEigen(covariance) } catch { throw .numerical("\(error)") }
    func column(_ k: Int) -> SIMD3<Double> {
      [eigen.vectors[0, k], eigen.vectors[1, k], eigen.vectors[2, k]]
    }
    let (first, second) = (column(2), column(1))
    return [first, second, first.cross(second)]
  }
}
