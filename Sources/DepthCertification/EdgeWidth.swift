import DepthCore

/// 10–90 % width of the step of depth at the border of a wall or a board, pixels of the depth map: between the places where depth has gone 10 %
/// and 90 % of the way from the plane to what is beside it. Depth is interpolated between pixels, so a sharp step has 0.8 pixels.
public struct EdgeWidth: Sendable, Hashable, Codable {
  /// Mean over the profiles, and its 95 % interval, pixels.
  public var width: Double, low: Double, high: Double
  /// Rows and columns of the map across a border.
  public var profiles: Int

  /// Profiles of one edge in one tile of the map are not independent.
  private static let fewestProfiles = 10

  init?(_ edges: [ClusteredMean.Cell]) {
    guard let mean = ClusteredMean(edges), mean.count >= Self.fewestProfiles else { return nil }
    (width, low, high) = (mean.mean, max(0, mean.mean - mean.reach), mean.mean + mean.reach)
    profiles = mean.count
  }
}

/// Profiles of depth across the border of a plane.
struct EdgeProfiles {
  /// Of depth from the plane by pixel, metres; nan where either is missing.
  private let offsets: [Double]
  private let depth: [Double]
  private let isPlane: [Bool]
  private let size: RasterSize

  /// What is beside the plane is at least this share of its depth nearer or farther. The step has ended where it changes by less than this
  /// share from some pixels to the next ones.
  private static let leastStep = 0.03, mostChange = 0.05
  /// Pixels from the plane to where the step may have ended.
  private static let reaches = [4, 8, 16, 32]

  /// - Parameter depth: By pixel, metres; not positive where it is missing.
  init(_ plane: DepthPlane, _ pixels: [Int], _ depth: [Double], _ rays: [SIMD3<Double>], _ size: RasterSize) {
    (self.depth, self.size) = (depth, size)
    offsets = depth.indices.map { pixel in
      let expected = plane.depth(rays[pixel])
      return depth[pixel] > 0 && expected > 0 ? depth[pixel] - expected : .nan
    }
    var isPlane = [Bool](repeating: false, count: size.count)
    for pixel in pixels { isPlane[pixel] = true }
    self.isPlane = isPlane
  }

  /// Widths by edge: one of four directions in one tile of the map.
  var edges: [ClusteredMean.Cell] {
    let tiles = WallPlacement.tiles
    var edges = [ClusteredMean.Cell](repeating: .init(), count: 4 * tiles.count)
    for (direction, (isRow, isForward)) in [(true, true), (true, false), (false, true), (false, false)]
      .enumerated()
    {
      let (lines, length) = isRow ? (size.height, size.width) : (size.width, size.height)
      func pixel(_ line: Int, _ place: Int) -> Int {
        let along = isForward ? place : length - 1 - place
        return isRow ? line * size.width + along : along * size.width + line
      }
      let crossings = (0..<lines).map { line in Self.crossings(self, (0..<length).map { pixel(line, $0) }) }
      for line in crossings.indices.dropFirst().dropLast() {
        for (place, width) in crossings[line] {
          func neighbour(_ line: Int) -> Double? {
            crossings[line].map(\.place).first { abs($0 - place) <= 2 }
          }
          // The other direction sees edges at more than 45° better.
          guard let before = neighbour(line - 1), let after = neighbour(line + 1), abs(after - before) <= 2
          else { continue }
          let slope = (after - before) / 2
          let at = pixel(line, Int(place))
          let tile =
            at / size.width * tiles.height / size.height * tiles.width + at % size.width * tiles.width
            / size.width
          edges[direction * tiles.count + tile].add(width / (1 + slope * slope).squareRoot())
        }
      }
    }
    return edges
  }

  /// Where a row or column leaves the plane by a step: place of half the step, and the width, in its pixels.
  private static func crossings(_ map: EdgeProfiles, _ line: [Int]) -> [(place: Double, width: Double)] {
    line.indices.dropFirst(2).compactMap { last in
      guard (last - 2...last).allSatisfy({ map.isPlane[line[$0]] }) else { return nil }
      func level(_ places: Range<Int>) -> Double {
        places.reduce(0) { $0 + map.offsets[line[$1]] } / Double(places.count)
      }
      // The nearest level that holds: farther away it may be something else.
      var found: (reach: Int, step: Double)?
      for reach in reaches where found == nil && 4 * reach <= map.size.width {
        let (start, count) = (last + 1 + reach, max(3, reach / 4))
        guard start + count <= line.count,
          (last + 1..<start + count).allSatisfy({ !map.isPlane[line[$0]] && map.offsets[line[$0]].isFinite })
        else { break }
        let step = level(start - count..<start)
        if abs(step) >= leastStep * map.depth[line[last]],
          abs(level(start..<start + count) - step) <= mostChange * abs(step)
        {
          found = (reach, step)
        }
      }
      guard let (reach, step) = found else { return nil }
      func share(_ place: Int) -> Double { map.offsets[line[place]] / step }
      func crossing(_ place: Int, _ level: Double) -> Double? {
        let (one, two) = (share(place), share(place + 1))
        return one < level && two >= level ? Double(place) + (level - one) / (two - one) : nil
      }
      let places = last - 2..<last + reach
      guard let half = places.first(where: { crossing($0, 0.5) != nil }), let middle = crossing(half, 0.5),
        let first = places.prefix(through: half).reversed().lazy.compactMap({ crossing($0, 0.1) }).first,
        let end = places.suffix(from: half).lazy.compactMap({ crossing($0, 0.9) }).first
      else { return nil }
      return (middle, end - first)
    }
  }
}

extension WallPlacement {
  var edges: [ClusteredMean.Cell] {
    let usual = wall.usualPixels
    var depth = [Double](repeating: 0, count: wall.size.count)
    for pixel in usual { depth[pixel] = wall.mean.mean[pixel] }
    return EdgeProfiles(wall.plane, wall.pixels, depth, wall.rays, wall.size).edges
  }
}

extension WallTest {
  /// Of all placements; nil where no border of the wall is seen beside a step.
  public var edgeWidth: EdgeWidth? { EdgeWidth(placements.flatMap(\.edges)) }
}

extension BoardTest {
  /// Of all poses; nil where no border of the board is seen beside a step.
  public var edgeWidth: EdgeWidth? { EdgeWidth(poses.flatMap(\.edges)) }
}
