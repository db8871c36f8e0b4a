import DepthCore
import DepthGraphics

/// Where the depth of a fused map's pixel is from.
enum DepthOrigin: CaseIterable {
  /// Between the LiDAR returns around the pixel.
  case returns
  /// Beside them: the method says something else than the LiDAR.
  case method
  /// The LiDAR has no depth there.
  case filled

  private static let tolerance: Float = 0.01  // Share of the depth.

  /// - Parameters:
  ///   - depth: Of the pixel, metres.
  ///   - lidar: Of the same field of view, metres.
  init(_ depth: Float, _ row: Int, _ column: Int, of size: RasterSize, lidar: DepthMap) {
    func neighbours(_ index: Int, of count: Int, in length: Int) -> ClosedRange<Int> {
      let place = (Double(index) + 0.5) * Double(length) / Double(count) - 0.5
      return max(0, Int(place.rounded(.down)))...min(length - 1, Int(place.rounded(.up)))
    }
    var (near, far) = (Float.infinity, -Float.infinity)
    for row in neighbours(row, of: size.height, in: lidar.height) {
      for column in neighbours(column, of: size.width, in: lidar.width) where lidar[row, column] > 0 {
        near = min(near, lidar[row, column])
        far = max(far, lidar[row, column])
      }
    }
    self =
      near > far
      ? .filled
      : (near * (1 - Self.tolerance)...far * (1 + Self.tolerance)).contains(depth) ? .returns : .method
  }

  private var colour: RGB {
    switch self {
    case .returns: RGB(red: 0, green: 114, blue: 178)
    case .method: RGB(red: 230, green: 159, blue: 0)
    case .filled: RGB(red: 204, green: 121, blue: 167)
    }
  }

  /// What the colours mean.
  static let legend =
    ", blue between the LiDAR returns around it, to 1 %, orange another depth than these, pink where the LiDAR has nothing"

  static func picture(of depth: DepthMap, lidar: DepthMap) -> Raster<RGB> {
    let colours = depth.values.indices.map { index in
      DepthOrigin(
        depth.values[index], index / depth.width, index % depth.width, of: depth.size, lidar: lidar
      ).colour
    }
    return Raster(width: depth.width, height: depth.height, values: colours)
  }
}
