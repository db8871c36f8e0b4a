public import DepthCore
internal import Foundation

extension OrientedBox {
  /// The rectangle around what a camera sees of the box, clipped to the image; rows counted from the top.
  ///
  /// The box is taken as transparent and unobstructed. Where it reaches behind the camera, its edges are cut at
  /// `nearest`.
  /// - Parameter nearest: Planar depth, metres.
  /// - Returns: nil where nothing of the box lies in the image.
  public func imageBounds(seenBy camera: PosedCamera, nearest: Double = 0.05) -> PixelRectangle? {
    let seen = projectedCorners(seenBy: camera, nearest: nearest)
    let size = camera.intrinsics.imageSize
    guard let left = seen.map(\.u).min(), let right = seen.map(\.u).max(), let top = seen.map(\.v).min(),
      let bottom = seen.map(\.v).max(), right > 0, bottom > 0, left < Double(size.width),
      top < Double(size.height)
    else { return nil }
    return PixelRectangle(
      minX: Float(max(left, 0)), minY: Float(max(top, 0)), maxX: Float(min(right, Double(size.width))),
      maxY: Float(min(bottom, Double(size.height))))
  }

  /// The outline of the box as a camera sees it, also beyond the image: a convex polygon, counter-clockwise in (u, v).
  /// - Parameter nearest: Planar depth at which edges are cut, metres.
  /// - Returns: Fewer than three points where nothing of the box lies before the camera.
  public func silhouette(seenBy camera: PosedCamera, nearest: Double = 0.05) -> [SIMD2<Double>] {
    convexHull(projectedCorners(seenBy: camera, nearest: nearest).map { [$0.u, $0.v] })
  }

  private func projectedCorners(
    seenBy camera: PosedCamera, nearest: Double
  ) -> [(u: Double, v: Double, depth: Double)] {
    let corners = imageCorners
    let depths = corners.map { camera.depth(of: $0) }
    var visible = zip(corners, depths).filter { $1 >= nearest }.map(\.0)
    for (a, b) in Self.edges where (depths[a] < nearest) != (depths[b] < nearest) {
      let share = (nearest - depths[a]) / (depths[b] - depths[a])
      visible.append(corners[a] + (corners[b] - corners[a]) * share)
    }
    return visible.compactMap(camera.project)
  }

  /// Corner i lies on the positive side of axis k (length, up, width) where bit k of i is set.
  private var imageCorners: [SIMD3<Double>] {
    let (length, width) = (SIMD3(cos(yaw), 0, sin(yaw)), SIMD3(-sin(yaw), 0, cos(yaw)))
    return (0..<8).map { index in
      func half(_ axis: Int) -> Double { (index >> axis & 1 == 0 ? -0.5 : 0.5) * size[axis] }
      return center + length * half(0) + SIMD3(0, half(1), 0) + width * half(2)
    }
  }

  /// Pairs of corners that differ in one bit.
  private static let edges: [(Int, Int)] = (0..<8).flatMap { corner in
    [1, 2, 4].filter { corner & $0 == 0 }.map { (corner, corner | $0) }
  }
}
