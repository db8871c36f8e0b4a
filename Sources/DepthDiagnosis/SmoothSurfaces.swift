import DepthCore

extension DepthFrame {
  /// Normals where a surface is smooth: the disparity is the mean of its neighbours', as on any plane. In the camera's axes of
  /// OpenCV, out of the surface, of no certain length; nil without a camera or where the grid is too small.
  func smoothNormals() -> (size: RasterSize, normals: [(row: Int, column: Int, normal: SIMD3<Double>)])? {
    // Neighbours, grid points away, and the share by which a disparity may differ from their mean.
    let (reach, roughness) = (2, 0.02)
    guard let camera = intrinsics else { return nil }
    let grid = DepthGrid(self)
    let (size, k) = (grid.size, camera.scaled(to: grid.size))
    guard size.width > 2 * reach, size.height > 2 * reach else { return nil }
    func point(_ row: Int, _ column: Int) -> SIMD3<Double> {
      let z = 1 / grid.disparity[row * size.width + column]
      return [(Double(column) + 0.5 - k.cx) / k.fx * z, (Double(row) + 0.5 - k.cy) / k.fy * z, z]
    }
    var normals: [(row: Int, column: Int, normal: SIMD3<Double>)] = []
    for row in reach..<size.height - reach {
      for column in reach..<size.width - reach {
        let centre = point(row, column)
        let (left, right) = (point(row, column - reach), point(row, column + reach))
        let (above, below) = (point(row - reach, column), point(row + reach, column))
        guard abs(1 - centre.z * (1 / left.z + 1 / right.z) / 2) <= roughness,
          abs(1 - centre.z * (1 / above.z + 1 / below.z) / 2) <= roughness
        else { continue }
        let (a, b) = (right - left, above - below)
        normals.append(
          (row, column, [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]))
      }
    }
    return (size, normals)
  }
}
