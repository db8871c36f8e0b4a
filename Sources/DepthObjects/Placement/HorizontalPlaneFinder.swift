public import DepthCore

/// Horizontal planes of one frame, from its depth and pose alone.
///
/// Points on surfaces that face up vote for their height. The height with most points within reach is refined by
/// least squares, its points are taken out, and the next is sought. Points of one height that lie apart are planes of
/// their own. No random choice is made.
public struct HorizontalPlaneFinder: Sendable {
  public let options: PlaneOptions
  public init(options: PlaneOptions = PlaneOptions()) { self.options = options }

  /// The planes, most points first; of equal counts the lower first.
  /// - Parameter depth: Planar, metres, any resolution of the camera's field of view.
  /// - Parameter confidence: At the depth map's resolution; nil counts as high.
  /// - Parameter camera: In a y-up world.
  /// - Precondition: `confidence` has the depth map's size.
  public func planes(
    in depth: DepthMap, confidence: Raster<UInt8>? = nil, camera: PosedCamera
  ) -> [HorizontalPlane] {
    precondition(confidence.map { $0.size == depth.size } ?? true, "one confidence per depth")
    var points = UpwardPoints(depth: depth, confidence: confidence, camera: camera, options: options).points()
    var planes: [HorizontalPlane] = []
    while let height = commonHeight(of: points) {
      planes += patches(of: points.filter { abs($0.y - height) <= options.reach }).filter {
        $0.pointCount >= options.fewestPoints && $0.area >= options.leastArea
          && $0.tilt <= options.largestPlaneTilt
      }
      // Twice the reach: what is left of a plane's tail must not become a plane.
      let count = points.count
      points.removeAll { abs($0.y - height) <= 2 * options.reach }
      if points.count == count { break }  // bins wider than the reach
    }
    return planes.sorted { ($1.pointCount, $0.height) < ($0.pointCount, $1.height) }
  }

  /// Four kilometres at the finest; what lies higher is not part of a room.
  private static let mostBins = 1 << 22

  /// The height that most points lie within reach of, refined; nil where they are too few for a plane.
  private func commonHeight(of points: [SIMD3<Double>]) -> Double? {
    let heights = points.lazy.map { $0.y }
    guard let low = heights.min(), let high = heights.max() else { return nil }
    let bins = min(Int(saturating: (high - low) / options.binHeight), Self.mostBins) + 1
    var counts = [Int](repeating: 0, count: bins)
    for point in points { counts[min(bins - 1, Int(saturating: (point.y - low) / options.binHeight))] += 1 }
    let half = max(1, Int(saturating: (options.reach / options.binHeight).rounded()))
    var best = (count: 0, bin: 0)
    for bin in 0..<bins {
      let count = counts[max(0, bin - half)...min(bins - 1, bin + half)].reduce(0, +)
      if count > best.count { best = (count, bin) }
    }
    guard best.count >= options.fewestPoints else { return nil }
    var height = low + (Double(best.bin) + 0.5) * options.binHeight
    for _ in 0..<5 {
      let near = points.filter { abs($0.y - height) <= options.reach }
      guard !near.isEmpty else { break }
      height = near.reduce(0) { $0 + $1.y } / Double(near.count)
    }
    return height
  }

  /// The connected parts of points of one height, each with its own least-squares height.
  private func patches(of points: [SIMD3<Double>]) -> [HorizontalPlane] {
    typealias Cell = HorizontalPlane.Cell
    // Neighbouring points are mostly of one square, which is looked up once for all of them.
    var stretches: [(cell: Cell, points: Range<Int>)] = []
    for (index, point) in points.enumerated() {
      let cell = Cell(point, size: options.cellSize)
      if let last = stretches.last, last.cell == cell {
        stretches[stretches.count - 1].points = last.points.lowerBound..<index + 1
      } else {
        stretches.append((cell, index..<index + 1))
      }
    }
    var byCell: [Cell: [SIMD3<Double>]] = [:]
    for stretch in stretches { byCell[stretch.cell, default: []] += points[stretch.points] }
    var (waiting, patches) = (Set(byCell.keys), [HorizontalPlane]())
    // In the order of points, so that the result does not depend on hashing.
    for stretch in stretches {
      guard waiting.remove(stretch.cell) != nil else { continue }
      var (front, cells, members) = ([stretch.cell], Set<Cell>(), [SIMD3<Double>]())
      while let cell = front.popLast() {
        cells.insert(cell)
        members += byCell[cell] ?? []
        // Two squares away still belongs to it: far points lie that sparse.
        for neighbour in cell.neighbours(reach: 2) where waiting.remove(neighbour) != nil {
          front.append(neighbour)
        }
      }
      patches.append(HorizontalPlane(through: members, cells: cells, cellSize: options.cellSize))
    }
    return patches
  }
}
