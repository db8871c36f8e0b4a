public import DepthCore

extension DepthMap {
  /// Planar depth of a map of ray lengths: z = length / √(1 + ((u − cx)/fx)² + ((v − cy)/fy)²), with (u, v) the
  /// pixel's centre.
  /// - Parameter camera: Intrinsics of any resolution of the same field of view.
  public func planarDepth(fromRayLengthsSeenBy camera: CameraIntrinsics) -> DepthMap {
    let camera = camera.scaled(to: size)
    let xSquared = (0..<width).map { column in
      let x = (Double(column) + 0.5 - camera.cx) / camera.fx
      return x * x
    }
    var planar = self
    for row in 0..<height {
      let y = (Double(row) + 0.5 - camera.cy) / camera.fy
      for column in 0..<width {
        let index = row * width + column
        planar.values[index] = Float(Double(values[index]) / (1 + xSquared[column] + y * y).squareRoot())
      }
    }
    return planar
  }
}
