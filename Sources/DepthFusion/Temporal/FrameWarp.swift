public import DepthCore

/// Carries one LiDAR map into the raster of another frame of the same scene.
///
/// Every return is unprojected, moved by the two poses and splatted bilinearly, so that on a plane the weighted mean
/// at a pixel's centre is right. A z-buffer over the splats' footprints keeps what is in front.
public struct FrameWarp: Sendable {
  /// Depth in the target's camera, metres, row by row; NaN where nothing fell.
  public let depth: [Float]
  /// Weight of the returns that fell there, averaged like the depth.
  public let weight: [Float]

  /// Depths up to this share behind the nearest belong to the same surface.
  static let surfaceDepth = 0.05
  /// Least splat weight of a pixel.
  static let leastCoverage = 0.25

  /// One return after the move: the footprint's first pixel, weights towards the next ones, depth.
  private struct Splat {
    var column: Int, row: Int
    var shareX: Double, shareY: Double
    var depth: Double, weight: Double
  }

  /// - Parameters:
  ///   - source: LiDAR map to be moved.
  ///   - weights: One per pixel of `source`.
  ///   - size: Raster of the target, whose camera is `targetCamera`.
  ///   - targetFromSource: Between the two cameras, in OpenCV axes.
  /// - Precondition: one weight per pixel.
  public init(
    _ source: DepthMap, _ camera: CameraIntrinsics, weights: [Double],
    to size: RasterSize, _ targetCamera: CameraIntrinsics, targetFromSource: RigidTransform
  ) {
    let (from, to) = (camera.scaled(to: source.size), targetCamera.scaled(to: size))
    var splats: [Splat] = []
    splats.reserveCapacity(source.values.count)
    for row in 0..<source.height {
      for column in 0..<source.width {
        let z = Double(source[row, column])
        guard z > 0, z.isFinite else { continue }
        let ray = SIMD3(
          (Double(column) + 0.5 - from.cx) / from.fx, (Double(row) + 0.5 - from.cy) / from.fy, 1)
        let p = targetFromSource(ray * z)
        guard p.z > 0 else { continue }
        let (u, v) = (p.x / p.z * to.fx + to.cx - 0.5, p.y / p.z * to.fy + to.cy - 0.5)
        guard u > -1, v > -1, u < Double(size.width), v < Double(size.height) else { continue }
        let (left, top) = (Self.floor(u), Self.floor(v))
        splats.append(
          Splat(
            column: left, row: top, shareX: u - Double(left), shareY: v - Double(top), depth: p.z,
            weight: weights[row * source.width + column]))
      }
    }
    var nearest = [Double](repeating: .infinity, count: size.count)
    for splat in splats {
      Self.forEachPixel(of: splat, size) { index, share in
        if share >= Self.leastCoverage { nearest[index] = min(nearest[index], splat.depth) }
      }
    }
    var (sum, weight, total) = (nearest.map { _ in 0.0 }, nearest.map { _ in 0.0 }, nearest.map { _ in 0.0 })
    for splat in splats {
      Self.forEachPixel(of: splat, size) { index, share in
        guard splat.depth <= nearest[index] * (1 + Self.surfaceDepth) else { return }
        sum[index] += share * splat.depth
        weight[index] += share * splat.weight
        total[index] += share
      }
    }
    depth = total.indices.map { total[$0] >= Self.leastCoverage ? Float(sum[$0] / total[$0]) : .nan }
    self.weight = total.indices.map { total[$0] >= Self.leastCoverage ? Float(weight[$0] / total[$0]) : 0 }
  }

  /// Without a call, which the oldest processors would need.
  @inline(__always)
  private static func floor(_ value: Double) -> Int {
    let whole = Int(value)
    return Double(whole) > value ? whole - 1 : whole
  }

  @inline(__always)
  private static func forEachPixel(of splat: Splat, _ size: RasterSize, _ body: (Int, Double) -> Void) {
    // Four calls in place of loops over arrays: they are most of the time of a warp.
    let (x, y) = (splat.shareX, splat.shareY)
    let first = splat.row * size.width + splat.column
    let (hasLeft, hasRight) = (splat.column >= 0, x > 0 && splat.column + 1 < size.width)
    if splat.row >= 0 {
      if hasLeft { body(first, (1 - x) * (1 - y)) }
      if hasRight { body(first + 1, x * (1 - y)) }
    }
    if y > 0, splat.row + 1 < size.height {
      if hasLeft { body(first + size.width, (1 - x) * y) }
      if hasRight { body(first + size.width + 1, x * y) }
    }
  }
}
