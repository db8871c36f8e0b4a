import DepthCore

/// Noise of single pixels by range, σ(d) = √(a² + (b·d)²), with the covariance of a and b.
public struct NoiseLaw: Sendable, Hashable, Codable {
  /// Metres, and a share.
  public let a: Double, b: Double
  /// Of a and b; 0 for one that is at its bound, 0.
  public let covariance: [[Double]]

  /// Relative variance of each σ² at least: it comes of the tiles of a map.
  private static let leastVariance = 2 / Double(WallPlacement.tiles.count - 3)
  /// Farthest over nearest distance that separates a from b.
  static let leastRatio = 1.2

  /// Gamma regression of σ² on d²: errors of σ² are shares of it, by the tiles or, where that is more, as the values scatter about the law.
  /// - Parameter values: Distances and standard deviations, metres.
  /// - Returns: nil where the distances do not differ enough, or there is no noise.
  public init?(_ values: [(distance: Double, deviation: Double)]) {
    let distances = values.map(\.distance)
    guard let near = distances.min(), let far = distances.max(), far >= Self.leastRatio * near,
      values.allSatisfy({ $0.deviation > 0 })
    else { return nil }
    let points = values.map { (x: $0.distance * $0.distance, y: $0.deviation * $0.deviation) }
    var (level, slope, sums) = (0.0, 0.0, Sums())
    for round in 0..<100 {
      sums = Sums()
      for point in points { sums.add(point.x, point.y, of: round == 0 ? point.y : level + slope * point.x) }
      let last = (level, slope)
      (level, slope) = sums.solution
      if round > 0, abs(level - last.0) <= 1e-12 * level, abs(slope - last.1) <= 1e-12 * slope { break }
    }
    let scatter = points.reduce(0) { sum, point in
      let share = point.y / (level + slope * point.x) - 1
      return sum + share * share
    }
    let parameters = (level > 0 ? 1 : 0) + (slope > 0 ? 1 : 0)
    let variance = max(Self.leastVariance, scatter / Double(max(1, points.count - parameters)))
    (a, b) = (level.squareRoot(), slope.squareRoot())
    // From a² and b² to a and b.
    let gains = [level, slope].map { $0 > 0 ? 0.5 / $0.squareRoot() : 0 }
    let inverse = sums.inverse(level: level > 0, slope: slope > 0)
    covariance = (0..<2).map { row in
      (0..<2).map { column in variance * gains[row] * gains[column] * inverse[row][column] }
    }
  }

  /// Of the weighted normal equations.
  private struct Sums {
    var (w, x, xx, y, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)

    mutating func add(_ x: Double, _ y: Double, of variance: Double) {
      let weight = 1 / (variance * variance)
      w += weight
      self.x += weight * x
      xx += weight * x * x
      self.y += weight * y
      xy += weight * x * y
    }

    private var determinant: Double { w * xx - x * x }

    /// Not negative.
    var solution: (level: Double, slope: Double) {
      let (level, slope) = ((xx * y - x * xy) / determinant, (w * xy - x * y) / determinant)
      return level < 0 ? (0, xy / xx) : slope < 0 ? (y / w, 0) : (level, slope)
    }

    /// Of the normal matrix of those parameters that are not at their bound.
    func inverse(level: Bool, slope: Bool) -> [[Double]] {
      guard level, slope else { return [[level ? 1 / w : 0, 0], [0, slope ? 1 / xx : 0]] }
      return [[xx / determinant, -x / determinant], [-x / determinant, w / determinant]]
    }
  }
}

extension WallTest {
  /// Noise over time and fixed pattern of single pixels, by the distances of the walls; nil where they do not differ, or there is no noise.
  public var noiseLaw: NoiseLaw? {
    guard target == .wall else { return nil }
    return NoiseLaw(
      placements.map { placement in
        let (noise, flatness) = (placement.pixelNoise ?? 0, placement.flatnessRMS)
        return (placement.wall.plane.distance, (noise * noise + flatness * flatness).squareRoot())
      })
  }
}

extension BoardTest {
  /// Noise and fixed pattern of single pixels, by the depths of the poses; nil where they do not differ, or there is no noise.
  public var noiseLaw: NoiseLaw? { NoiseLaw(poses.map { ($0.depth, $0.noise) }) }
}
