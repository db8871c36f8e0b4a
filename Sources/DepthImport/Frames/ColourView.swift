internal import DepthCore

/// A depth camera and the colour camera beside it.
struct ColourView: Sendable, Hashable {
  var depth: CameraIntrinsics, colour: CameraIntrinsics
  /// Takes points of the depth camera to the colour camera; both in OpenCV's axes.
  var colourFromDepth: RigidTransform
  /// How much farther than the nearest point in the same cell a point may be and still be seen: a surface is slanted.
  private static let mostBehind = 1.05

  /// The picture on the depth's raster: the colour of the pixel that each point projects into, the nearest one. Black where there is no
  /// depth, outside the picture, and where the colour camera sees a nearer point (a z-buffer, whose cells are as large as the spacing
  /// of projected points).
  /// - Parameter map: Planar depth, metres.
  func picture(_ picture: Raster<RGB>, over map: DepthMap) -> Raster<RGB> {
    let (near, far) = (depth.scaled(to: map.size), colour.scaled(to: picture.size))
    let side = max(1, Int(max(far.fx / near.fx, far.fy / near.fy).rounded(.up)))
    let columns = (picture.width + side - 1) / side, rows = (picture.height + side - 1) / side
    var nearest = [Double](repeating: .infinity, count: columns * rows)
    var seen: [(at: Int, pixel: Int, cell: Int, z: Double)] = []
    seen.reserveCapacity(map.size.count)
    for row in 0..<map.height {
      for column in 0..<map.width {
        let index = row * map.width + column, z = Double(map.values[index])
        guard z.isFinite, z > 0 else { continue }
        let x = (Double(column) + 0.5 - near.cx) / near.fx, y = (Double(row) + 0.5 - near.cy) / near.fy
        let point = colourFromDepth([x * z, y * z, z])
        guard point.z > 0 else { continue }
        let u = far.fx * point.x / point.z + far.cx, v = far.fy * point.y / point.z + far.cy
        guard u >= 0, v >= 0, u < Double(picture.width), v < Double(picture.height) else { continue }
        let cell = Int(v) / side * columns + Int(u) / side
        nearest[cell] = min(nearest[cell], point.z)
        seen.append((index, Int(v) * picture.width + Int(u), cell, point.z))
      }
    }
    var result = Raster(
      width: map.width, height: map.height, filledWith: RGB(red: 0, green: 0, blue: 0))
    for point in seen where point.z <= Self.mostBehind * nearest[point.cell] {
      result.values[point.at] = picture.values[point.pixel]
    }
    return result
  }
}
