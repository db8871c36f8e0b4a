import DepthCore

/// At how many of the LiDAR's pixels which part of a deviation is the largest.
public struct DeviationParts: Sendable, Hashable {
  private var counts = [0, 0, 0]

  /// Takes in a pixel's variances; without any it does not count.
  mutating func add(lidar: Float, map: Float, step: Float) {
    let parts = [lidar, map, step]
    guard let largest = parts.indices.max(by: { parts[$0] < parts[$1] }), parts[largest] > 0 else { return }
    counts[largest] += 1
  }

  /// "largest part of σ, of the LiDAR's pixels: the LiDAR's noise at 71.2 %, the map's error at 28.8 %"; nil without a pixel.
  public var words: String? {
    let total = counts.reduce(0, +)
    let names = ["the LiDAR's noise", "the map's error", "a depth step"]
    let found = counts.indices.filter { counts[$0] > 0 }.map {
      "\(names[$0]) at \((1000 * Double(counts[$0]) / Double(total)).rounded() / 10) %"
    }
    return total > 0 ? "largest part of σ, of the LiDAR's pixels: \(found.joined(separator: ", "))" : nil
  }
}

extension FusionResult {
  mutating func state(_ found: (map: DepthMap, parts: DeviationParts)) {
    (deviation, deviationParts) = found
  }
}
