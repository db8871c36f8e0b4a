import DepthCore
import Foundation

/// Angles between the surfaces that a map and the truth are.
///
/// The normal at a pixel is ∂P/∂u × ∂P/∂v of the point P(u, v) = z·K⁻¹(u, v, 1), by central differences: its four neighbours must be
/// known, in the map as in the truth.
struct NormalErrors: Sendable {
  let mean: Double, median: Double  // Degrees.
  let within11: Double, within22: Double, within30: Double  // Shares of less than 11.25, 22.5 and 30 degrees.

  /// - Returns: nil where no pixel has both normals.
  init?(_ aligned: [Double], _ truth: TruthNormals, _ pixels: TruthPixels) {
    var angles: [Double] = []
    angles.reserveCapacity(pixels.indices.count)
    aligned.withUnsafeBufferPointer { depths in
      for (index, expected) in zip(pixels.indices, truth.normals) where expected.x.isFinite {
        guard let found = truth.surface.normal(at: Int(index), { depths[$0] }) else { continue }
        let sine = found.cross(expected)
        angles.append(atan2((sine * sine).sum().squareRoot(), (found * expected).sum()) * 180 / .pi)
      }
    }
    guard !angles.isEmpty, let median = OrderStatistics.median(of: angles) else { return nil }
    let count = Double(angles.count)
    func share(_ limit: Double) -> Double { Double(angles.count { $0 < limit }) / count }
    mean = angles.reduce(0, +) / count
    self.median = median
    (within11, within22, within30) = (share(11.25), share(22.5), share(30))
  }
}

/// The truth's own normals.
struct TruthNormals: Sendable {
  let surface: SurfaceGeometry
  let normals: [SIMD3<Double>]  // One per pixel that counts, of any length; not finite where there is none.

  init(_ camera: CameraIntrinsics, _ truth: DepthMap, _ pixels: TruthPixels) {
    let surface = SurfaceGeometry(camera, truth.size)
    self.surface = surface
    normals = truth.values.withUnsafeBufferPointer { depths in
      pixels.indices.map { index in
        surface.normal(at: Int(index)) { Double(depths[$0]) } ?? SIMD3(repeating: .nan)
      }
    }
  }
}

/// Where the pixels of a map look.
struct SurfaceGeometry: Sendable {
  private let size: RasterSize
  private let columns: [Double], rows: [Double]  // x/z by column, y/z by row.

  init(_ camera: CameraIntrinsics, _ size: RasterSize) {
    self.size = size
    columns = (0..<size.width).map { (Double($0) + 0.5 - camera.cx) / camera.fx }
    rows = (0..<size.height).map { (Double($0) + 0.5 - camera.cy) / camera.fy }
  }

  /// The surface's normal at a pixel, of any length; nil at the edge, and where a neighbour is missing.
  @inline(__always) func normal(at index: Int, _ depth: (Int) -> Double) -> SIMD3<Double>? {
    let (row, column) = (index / size.width, index % size.width)
    guard row > 0, column > 0, row + 1 < size.height, column + 1 < size.width else { return nil }
    func point(_ row: Int, _ column: Int) -> SIMD3<Double>? {
      let z = depth(row * size.width + column)
      return z > 0 && z.isFinite ? SIMD3(z * columns[column], z * rows[row], z) : nil
    }
    guard let left = point(row, column - 1), let right = point(row, column + 1),
      let above = point(row - 1, column), let below = point(row + 1, column)
    else { return nil }
    let normal = (right - left).cross(below - above)
    return normal == .zero || !normal.x.isFinite ? nil : normal
  }
}

extension SIMD3<Double> {
  fileprivate func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}
