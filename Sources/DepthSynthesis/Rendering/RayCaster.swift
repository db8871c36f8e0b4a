internal import DepthCore

/// Exact first hits of the rays of one image of a room.
///
/// Bodies are listed per tile of the image by the bounds of their projection, so that a ray is
/// tested against the few that can be there.
struct RayCaster: Sendable {
  /// Where a ray ends.
  struct Hit: Sendable {
    /// Planar depth, metres.
    var depth: Double
    /// Index in `Room.solids`, or `shell`.
    var solid: Int
  }
  /// `Hit.solid` of walls, floor and ceiling.
  static let shell = -1
  private static let tile = 32
  /// Rays may start this many pixels off their tile.
  private static let margin = 2.5
  let rays: PixelRays, size: RasterSize
  private let room: SolidView, views: [SolidView], columns: Int, tiles: [[Int]]

  /// - Parameter intrinsics: Of an image of the size that is to be rendered.
  /// - Parameter solids: The room's bodies.
  init(_ room: Room, solids: [Solid], intrinsics: CameraIntrinsics, worldFromCamera pose: RigidTransform) {
    let rays = PixelRays(intrinsics, worldFromCamera: pose), size = intrinsics.imageSize
    let columns = (size.width + Self.tile - 1) / Self.tile
    let rows = (size.height + Self.tile - 1) / Self.tile
    var tiles = [[Int]](repeating: [], count: columns * rows)
    for (index, solid) in solids.enumerated() {
      guard let (low, high) = Self.tileBounds(of: solid.frame, rays, columns, rows) else { continue }
      for row in low.y...high.y {
        for column in low.x...high.x { tiles[row * columns + column].append(index) }
      }
    }
    (self.rays, self.size, self.columns, self.tiles) = (rays, size, columns, tiles)
    self.room = SolidView(room.shell, shape: .box, from: rays)
    views = solids.map { SolidView($0.frame, shape: $0.shape, from: rays) }
  }

  /// Depth and body at an image point, which may lie a little outside the image.
  func hit(u: Double, v: Double) -> Hit {
    let column = min(max(Int(u) / Self.tile, 0), columns - 1)
    let row = min(max(Int(v) / Self.tile, 0), tiles.count / columns - 1)
    return nearest(u, v, tiles[row * columns + column])
  }

  /// Applies `shade` to the hit at every pixel's centre.
  func render<Value: Sendable>(_ shade: (Hit, _ u: Double, _ v: Double) -> Value) -> Raster<Value> {
    let values = [Value](unsafeUninitializedCapacity: size.count) { buffer, count in
      // Row by row, so that the buffer fills in order; the list changes once per tile.
      for row in 0..<size.height {
        let v = Double(row) + 0.5
        for start in stride(from: 0, to: size.width, by: Self.tile) {
          let candidates = tiles[row / Self.tile * columns + start / Self.tile]
          for column in start..<min(start + Self.tile, size.width) {
            let u = Double(column) + 0.5, value = shade(nearest(u, v, candidates), u, v)
            buffer.initializeElement(at: row * size.width + column, to: value)
          }
        }
      }
      count = size.count
    }
    return Raster(width: size.width, height: size.height, values: values)
  }

  /// Planar depth at every pixel's centre.
  func depthMap() -> DepthMap { render { hit, _, _ in Float(hit.depth) } }

  @inline(__always) private func nearest(_ u: Double, _ v: Double, _ candidates: [Int]) -> Hit {
    var hit = Hit(depth: room.exit(u: u, v: v), solid: Self.shell)
    for index in candidates {
      let depth = views[index].entry(u: u, v: v)
      if depth < hit.depth { hit = Hit(depth: depth, solid: index) }
    }
    return hit
  }

  /// First and last tile that the projection of a box may touch; nil if the image cannot see it.
  private static func tileBounds(
    of box: OrientedBox, _ rays: PixelRays, _ columns: Int, _ rows: Int
  ) -> (low: SIMD2<Int>, high: SIMD2<Int>)? {
    var low = SIMD2<Double>(repeating: .infinity)
    var high = SIMD2<Double>(repeating: -.infinity)
    let corners = box.corners.compactMap(rays.projected)
    if corners.isEmpty { return nil }
    if corners.count < 8 { return ([0, 0], [columns - 1, rows - 1]) }
    for corner in corners {
      low = pointwiseMin(low, [corner.u, corner.v])
      high = pointwiseMax(high, [corner.u, corner.v])
    }
    let last = SIMD2(Double(columns), Double(rows)) * Double(tile)
    guard high.x > -margin, high.y > -margin, low.x < last.x + margin, low.y < last.y + margin
    else { return nil }
    let first = ((low - margin) / Double(tile)).rounded(.down)
    let final = ((high + margin) / Double(tile)).rounded(.down)
    let limit = SIMD2(Double(columns - 1), Double(rows - 1))
    let a = first.clamped(lowerBound: .zero, upperBound: limit)
    let b = final.clamped(lowerBound: .zero, upperBound: limit)
    return ([Int(a.x), Int(a.y)], [Int(b.x), Int(b.y)])
  }
}
