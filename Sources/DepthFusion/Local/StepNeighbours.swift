import DepthCore
import Foundation

/// Whether a return that jumps at a depth step is to be kept, by what is about it.
///
/// A network misses thin things, and its edges are soft or lie beside the true ones. A return that lies between two surfaces is a mean of both:
/// it is kept unless the map says more clearly on which of them the pixel lies. Any other is kept where two neighbours have its depth, as on
/// something thin; where the map is not level, because it has an edge of its own there, nearly its depth is enough. False returns have neither.
struct StepNeighbours {
  /// NaN without a return.
  let lidar: DepthMap
  /// What the map says at the LiDAR's pixels.
  let map: DepthMap
  /// Of each return: what its noise may be at most.
  let scatter: [Float]
  /// Not 0 for returns that continue no surface.
  let jumps: [UInt8]
  /// Neighbours of the same depth that are enough.
  private static let enough = 2
  /// As a share of what the map would move the return by: the range of its ln d in 3×3 pixels up to which it is level, and what is nearly the
  /// same depth.
  private static let small: Float = 0.1
  /// Rows and columns within which a neighbour is direct, and within which surfaces are looked for.
  private static let (beside, reach) = (1, 2)

  /// - Parameter ratio: ln(LiDAR/map) there.
  func support(_ i: Int, against ratio: Float) -> Bool {
    let (row, column) = (i / lidar.width, i % lidar.width)
    let (own, noise) = (lidar.values[i], scatter[i])
    let small = Self.small * abs(ratio)
    var (alike, near, nearest, farthest) = (0, 0, Float.infinity, -Float.infinity)
    var (least, most) = (map.values[i], map.values[i])
    for y in max(row - Self.reach, 0)...min(row + Self.reach, lidar.height - 1) {
      for x in max(column - Self.reach, 0)...min(column + Self.reach, lidar.width - 1) {
        let (neighbour, depth) = (y * lidar.width + x, lidar[y, x])
        guard neighbour != i, depth.isFinite else { continue }
        if max(abs(y - row), abs(x - column)) <= Self.beside {
          if abs(depth - own) <= noise * own { alike += 1 }
          if abs(depth - own) <= max(noise, small) * own { near += 1 }
          (least, most) = (min(least, map[y, x]), max(most, map[y, x]))
        }
        if jumps[neighbour] == 0 { (nearest, farthest) = (min(nearest, depth), max(farthest, depth)) }
      }
    }
    // Logarithms, as the ratio is one.
    let (low, high, log) = (Foundation.log(nearest), Foundation.log(farthest), Foundation.log(own))
    if log > low + noise && log < high - noise {
      let middle = (low + high) / 2
      return abs(log - ratio - middle) < abs(log - middle)
    }
    return alike >= Self.enough || near >= Self.enough && Foundation.log(most / least) > small
  }
}
