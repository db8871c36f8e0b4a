import DepthCore

/// The ray (x, y, 1) of every pixel of a camera's map.
struct PixelRays {
  let camera: CameraIntrinsics
  init(_ camera: CameraIntrinsics) { self.camera = camera }
  /// Row by row.
  var all: [SIMD3<Double>] { (0..<camera.imageSize.count).map { self[$0] } }

  @inline(__always) subscript(pixel: Int) -> SIMD3<Double> {
    let (row, column) = pixel.quotientAndRemainder(dividingBy: camera.imageSize.width)
    return SIMD3(
      (Double(column) + 0.5 - camera.cx) / camera.fx, (Double(row) + 0.5 - camera.cy) / camera.fy, 1)
  }
}
