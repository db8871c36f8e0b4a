import FathomStatistics
import Foundation

/// Noise over time of a placement's pixels at a similar angle of incidence, or with the same confidence.
public struct NoiseBand: Sendable, Hashable, Codable {
  /// Name of the placement.
  public var scene: String
  /// Where the band of 10 degrees begins, between the line of sight and the normal of the wall; nil for a confidence.
  public var incidence: Int?
  /// Mean confidence level of the pixels over the frames, rounded; nil for an angle.
  public var confidence: Int?
  public var pixels: Int
  /// Root of the mean variance over time, metres.
  public var noise: Double
  /// Its 95 % interval, from the spread between tiles of the map.
  public var low: Double, high: Double
}

extension WallPlacement {
  /// Degrees in a band of incidence.
  public static let incidenceBand = 10
  /// Tiles that must have pixels of a band, and pixels that it must have: fewer leave its interval unknown.
  private static let fewestTiles = 3, fewestPixels = 50

  /// Noise by angle of incidence, then by confidence where the data have it; of the larger face where there are two. Bands of few pixels are
  /// excluded.
  public var noiseBands: [NoiseBand] {
    let normal = wall.plane.normal
    let incidences = wall.pixels.map { pixel in
      let ray = wall.rays[pixel]
      let cosine = (ray * normal).sum() / (ray * ray).sum().squareRoot()
      return Int(acos(min(1, max(-1, cosine))) * 180 / .pi) / Self.incidenceBand * Self.incidenceBand
    }
    let angles = bands(incidences).map { level, band in
      NoiseBand(
        scene: name, incidence: level, pixels: band.pixels, noise: band.noise, low: band.low, high: band.high)
    }
    let confidences = bands(wall.pixels.map(wall.mean.confidence)).map { level, band in
      NoiseBand(
        scene: name, confidence: level, pixels: band.pixels, noise: band.noise, low: band.low,
        high: band.high)
    }
    return angles + confidences
  }

  /// Tiles are taken to be independent: u² of the mean variance is the sum of the squared contributions of the tiles.
  /// - Parameter levels: Of the wall's pixels; those without one are excluded.
  private func bands(_ levels: [Int?]) -> [(
    level: Int, band: (pixels: Int, noise: Double, low: Double, high: Double)
  )] {
    let members = Dictionary(grouping: levels.indices.filter { levels[$0] != nil }) { levels[$0] ?? 0 }
    return members.sorted { $0.key < $1.key }.compactMap { level, indices in
      let values = indices.compactMap { index in
        wall.mean.deviation(wall.pixels[index]).map { (tile: tileOf[index], variance: $0 * $0) }
      }
      let tiles = Set(values.map(\.tile)).count
      guard values.count >= Self.fewestPixels, tiles >= Self.fewestTiles else { return nil }
      let count = Double(values.count)
      let mean = values.reduce(0) { $0 + $1.variance } / count
      var parts = [Double](repeating: 0, count: pattern.count)
      for value in values { parts[value.tile] += (value.variance - mean) / count }
      let freedom = Double(tiles - 1)
      let square = parts.reduce(0) { $0 + $1 * $1 } * Double(tiles) / freedom
      let reach =
        StudentDistribution.criticalValue(1 - UncertaintyBudget.usualCoverage, freedom: freedom)
        * square.squareRoot()
      return (
        level,
        (values.count, mean.squareRoot(), max(0, mean - reach).squareRoot(), (mean + reach).squareRoot())
      )
    }
  }
}
