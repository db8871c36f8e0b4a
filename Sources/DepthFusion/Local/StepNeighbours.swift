import DepthCore
import Foundation

/// Whether a return that jumps at a depth step is to be kept, by the returns about it.
///
/// A network misses thin things, and its edges are soft or lie beside the true ones. A return is kept where two neighbours have its depth, as
/// on something thin, unless it lies between two surfaces: there it is a mean of both, and the map is better only if it says more clearly on
/// which of them the pixel lies. False returns have neither. And a map beyond the nearest or farthest return of all invents it.
struct StepNeighbours {
  /// NaN without a return.
  let lidar: DepthMap
  /// Of each return: what its noise may be at most.
  let scatter: [Float]
  /// Not 0 for returns that continue no surface.
  let jumps: [UInt8]
  /// ln d of the nearest and the farthest return.
  private let least: Float, most: Float
  /// Neighbours of the same depth that are enough.
  private static let enough = 2
  /// Rows and columns within which a neighbour is direct, and within which surfaces are looked for.
  private static let (beside, reach) = (1, 2)

  init(lidar: DepthMap, scatter: [Float], jumps: [UInt8]) {
    (self.lidar, self.scatter, self.jumps) = (lidar, scatter, jumps)
    var (nearest, farthest) = (Float.infinity, Float(0))
    for depth in lidar.values where depth.isFinite {
      (nearest, farthest) = (min(nearest, depth), max(farthest, depth))
    }
    (least, most) = (Foundation.log(nearest), Foundation.log(farthest))
  }

  /// - Parameter ratio: ln(LiDAR/map) there.
  func support(_ i: Int, against ratio: Float) -> Bool {
    let (row, column) = (i / lidar.width, i % lidar.width)
    let (own, noise) = (lidar.values[i], scatter[i])
    var (alike, nearest, farthest) = (0, Float.infinity, -Float.infinity)
    for y in max(row - Self.reach, 0)...min(row + Self.reach, lidar.height - 1) {
      for x in max(column - Self.reach, 0)...min(column + Self.reach, lidar.width - 1) {
        let (neighbour, depth) = (y * lidar.width + x, lidar[y, x])
        guard neighbour != i, depth.isFinite else { continue }
        let isBeside = max(abs(y - row), abs(x - column)) <= Self.beside
        if isBeside && abs(depth - own) <= noise * own { alike += 1 }
        if jumps[neighbour] == 0 { (nearest, farthest) = (min(nearest, depth), max(farthest, depth)) }
      }
    }
    // Logarithms, as the ratio is one.
    let (low, high, log) = (Foundation.log(nearest), Foundation.log(farthest), Foundation.log(own))
    let map = log - ratio
    if map < least - noise || map > most + noise { return true }
    // Flying pixels along a straight edge are alike too, but lie between the surfaces.
    let isBetween = log > low + noise && log < high - noise
    if alike >= Self.enough && !isBetween { return true }
    let middle = (low + high) / 2
    return log >= low - noise && log <= high + noise && abs(map - middle) < abs(log - middle)
  }
}
