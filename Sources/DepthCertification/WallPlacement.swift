public import DepthCore

/// What a tape from the camera to the wall measures.
public enum TapeReading: String, Sendable, Hashable, Codable, CaseIterable {
  /// The shortest distance from the camera centre to the wall.
  case perpendicular
  /// Along the optical axis.
  case axis
}

/// A camera before a wall: the second pass over the frames of a scene, which says how its distance varies over time and over the map.
public struct WallPlacement: Sendable {
  public let name: String, wall: Wall, tape: TapeReading
  /// Distance by frame as the tape reads it, metres.
  public private(set) var series: [Double] = []
  /// Tiles of the map, columns and rows: parts that are taken to be independent of each other. A fixed pattern and noise that are
  /// correlated over shorter distances than a tile widen the uncertainty as they should.
  static let tiles = RasterSize(width: 6, height: 5)
  private let weights: [Double]  // ∂distance/∂depth of every pixel of the wall.
  private let tileOf: [Int]
  /// Contribution of each tile's mean residual to the distance, metres: they add up to 0, and their spread is its uncertainty.
  let pattern: [Double]
  private var sums: [Double], squares: [Double]

  public init(_ name: String, _ wall: Wall, tape: TapeReading) {
    (self.name, self.wall, self.tape) = (name, wall, tape)
    let gradient = Self.gradient(wall.plane, tape)
    let direction = SIMD3(
      (wall.inverse[0] * gradient).sum(), (wall.inverse[1] * gradient).sum(),
      (wall.inverse[2] * gradient).sum())
    let size = wall.size
    weights = wall.pixels.map { pixel in
      let z = wall.plane.depth(wall.rays[pixel])
      return (direction * (-z * z * wall.rays[pixel])).sum()
    }
    tileOf = wall.pixels.map { pixel in
      pixel / size.width * Self.tiles.height / size.height * Self.tiles.width
        + pixel % size.width * Self.tiles.width / size.width
    }
    var pattern = [Double](repeating: 0, count: Self.tiles.count)
    for (index, pixel) in wall.pixels.enumerated() {
      pattern[tileOf[index]] += weights[index] * wall.residual(pixel)
    }
    self.pattern = pattern
    sums = [Double](repeating: 0, count: Self.tiles.count)
    squares = sums
  }

  private static func gradient(_ plane: DepthPlane, _ tape: TapeReading) -> SIMD3<Double> {
    switch tape {
    case .perpendicular:
      let h = plane.distance
      return -h * h * h * plane.p
    case .axis: return SIMD3(0, 0, -plane.axisDistance * plane.axisDistance)
    }
  }

  /// Takes a frame in; the same frames as in the first pass.
  public mutating func add(_ map: DepthMap) {
    var frame = [Double](repeating: 0, count: pattern.count)
    for (index, pixel) in wall.pixels.enumerated() {
      let value = map.values[pixel]
      let z = value.isFinite && value > 0 ? Double(value) : wall.mean.mean[pixel]
      frame[tileOf[index]] += weights[index] * (z - wall.mean.mean[pixel])
    }
    for tile in frame.indices {
      sums[tile] += frame[tile]
      squares[tile] += frame[tile] * frame[tile]
    }
    series.append(distance + frame.reduce(0, +))
  }

  /// As the tape reads it, of the mean over time, metres.
  public var distance: Double { tape == .perpendicular ? wall.plane.distance : wall.plane.axisDistance }
  /// Standard deviation of the distance between frames, metres; nil with fewer than two.
  public var frameDeviation: Double? { series.count > 1 ? Self.moments(series).variance.squareRoot() : nil }

  /// Mean and variance of two or more values.
  static func moments(_ values: [Double]) -> (mean: Double, variance: Double) {
    let mean = values.reduce(0, +) / Double(values.count)
    var squares = 0.0
    for value in values { squares += (value - mean) * (value - mean) }
    return (mean, squares / Double(values.count - 1))
  }

  /// Independent frames that say as much: N(1 − ρ)/(1 + ρ), with ρ the correlation of successive frames, corrected for its bias in short
  /// series (Kendall 1954), at least 0.
  public var effectiveFrames: Double {
    let n = Double(series.count)
    guard series.count > 4 else { return n }
    let (mean, variance) = Self.moments(series)
    let square = variance * (n - 1)
    var product = 0.0
    for index in 1..<series.count { product += (series[index - 1] - mean) * (series[index] - mean) }
    guard square > 0 else { return n }
    let correlation = min(0.99, max(0, (n * product / square + 1) / (n - 3)))
    return max(2, n * (1 - correlation) / (1 + correlation))
  }

  /// u² of the mean distance because frames differ, m².
  var frameVariance: Double {
    guard let deviation = frameDeviation else { return 0 }
    let n = Double(series.count)
    return deviation * deviation * (n - 1) / n / (effectiveFrames - 1)
  }

  /// What noise over time adds to the squares of ``pattern``, m².
  var patternNoise: Double {
    let n = Double(series.count)
    guard n > 1 else { return 0 }
    let variances = zip(sums, squares).map { sum, square in max(0, square - sum * sum / n) / (n - 1) }
    return variances.reduce(0, +) / effectiveFrames
  }

  /// Depth noise of single pixels: root of their mean variance over time, metres; nil with fewer than two frames.
  public var pixelNoise: Double? {
    let variances = wall.pixels.compactMap { wall.mean.deviation($0).map { $0 * $0 } }
    return variances.isEmpty ? nil : (variances.reduce(0, +) / Double(variances.count)).squareRoot()
  }

  /// Independent pixels that would give the distance as much noise; nil without noise.
  public var effectivePixels: Double? {
    guard let noise = pixelNoise, let deviation = frameDeviation, noise > 0, deviation > 0 else { return nil }
    let independent = noise * noise * weights.reduce(0) { $0 + $1 * $1 }
    return Double(weights.count) * min(1, independent / (deviation * deviation))
  }

  /// Step between the values of the file here, metres; 0 where there is none.
  public var resolution: Double { wall.mean.resolution(at: distance) }

  /// Distances of the mean map from the plane, perpendicular to it, metres.
  private var offsets: [Double] {
    wall.pixels.map { wall.residual($0) * wall.plane.distance / wall.plane.depth(wall.rays[$0]) }
  }

  /// Root mean square of the mean map's distances from the plane without what noise leaves in them, metres.
  public var flatnessRMS: Double {
    let offsets = offsets
    let square = offsets.reduce(0) { $0 + $1 * $1 } / Double(offsets.count - 3)
    let noise = (pixelNoise ?? 0) / effectiveFrames.squareRoot()
    return max(0, square - noise * noise).squareRoot()
  }

  /// Width of the band that holds 99.7 % of the mean map's distances from the plane, metres.
  public var flatnessRange: Double {
    let offsets = offsets
    return (OrderStatistics.quantile(0.9985, of: offsets) ?? 0)
      - (OrderStatistics.quantile(0.0015, of: offsets) ?? 0)
  }

  /// Difference of the farthest and the nearest of the tiles' mean distances from the plane, metres: a curved surface, not noise. Tiles with
  /// less than a quarter of their pixels do not count.
  public var bow: Double {
    var (totals, counts) = (
      [Double](repeating: 0, count: pattern.count), [Int](repeating: 0, count: pattern.count)
    )
    for (tile, offset) in zip(tileOf, offsets) {
      totals[tile] += offset
      counts[tile] += 1
    }
    let full = wall.size.count / pattern.count
    let means = counts.indices.filter { 4 * counts[$0] > full }.map { totals[$0] / Double(counts[$0]) }
    return (means.max() ?? 0) - (means.min() ?? 0)
  }

  /// ∂distance by a relative error of the focal length, and by errors of the principal point as shares of the focal length, metres.
  var cameraSensitivity: (focal: Double, centreX: Double, centreY: Double) {
    let p = wall.plane.p
    let gradient = Self.gradient(wall.plane, tape)
    // A larger focal length flattens rays: x(1 − ε), so the plane's slopes grow; a principal point to the right shifts x by −ε.
    return (gradient.x * p.x + gradient.y * p.y, gradient.z * p.x, gradient.z * p.y)
  }
}

extension Wall {
  /// Of the mean map along the optical axis, metres.
  func residual(_ pixel: Int) -> Double { mean.mean[pixel] - plane.depth(rays[pixel]) }
}
