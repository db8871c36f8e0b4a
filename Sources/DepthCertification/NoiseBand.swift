import Foundation

/// Noise of pixels at a similar range or angle of incidence, or with the same confidence: before a wall over time, on a board as distance from
/// the plane of each frame.
public struct NoiseBand: Sendable, Hashable, Codable {
  /// Name of the placement; nil for a board.
  public var scene: String?
  /// Where the band of 0.25 m begins, metres; nil for the others, and for a wall, whose scene has its distance.
  public var range: Double?
  /// Where the band of 10 degrees begins, between the line of sight and the normal of the plane; nil for the others.
  public var incidence: Int?
  /// Confidence level of the pixels, of a wall the mean over the frames, rounded; nil for the others.
  public var confidence: Int?
  public var pixels: Int
  /// Root of the mean variance, metres.
  public var noise: Double
  /// Its 95 % interval, from the spread between tiles of the map, and between frames of a board where that is wider.
  public var low: Double, high: Double

  /// Degrees, and metres, in a band.
  public static let incidenceBand = 10, rangeBand = 0.25
}

/// Variances of pixels by band and by tile of the map.
struct NoiseSums: Sendable {
  private enum Band: Hashable, Comparable { case range(Int), incidence(Int), confidence(Int) }
  private var cells: [Band: [Int: ClusteredMean.Cell]] = [:]
  /// Fewer pixels are excluded.
  private static let fewestPixels = 50

  /// - Parameter angle: Between the line of sight and the normal, radians.
  mutating func add(_ variance: Double, tile: Int, range: Double? = nil, angle: Double, confidence: Int?) {
    let degrees = Int(angle * 180 / .pi)
    let bands = [
      range.map { Band.range(Int($0 / NoiseBand.rangeBand)) },
      .incidence(degrees / NoiseBand.incidenceBand), confidence.map(Band.confidence),
    ]
    for band in bands.compactMap(\.self) { cells[band, default: [:]][tile, default: .init()].add(variance) }
  }

  /// In the order range, incidence, confidence. Tiles are taken to be independent, and with three or more frames those too.
  static func bands(_ frames: [NoiseSums], scene: String? = nil) -> [NoiseBand] {
    Set(frames.flatMap(\.cells.keys)).sorted().compactMap { band in
      let cells = frames.map { $0.cells[band] ?? [:] }
      let tiles = Set(cells.flatMap(\.keys)).sorted().map { tile in
        cells.reduce(ClusteredMean.Cell()) { $0 + ($1[tile] ?? .init()) }
      }
      guard let mean = ClusteredMean(tiles), mean.count >= fewestPixels else { return nil }
      let byFrame = ClusteredMean(
        cells.map { $0.sorted { $0.key < $1.key }.map(\.value).reduce(ClusteredMean.Cell(), +) })
      let reach = max(mean.reach, byFrame?.reach ?? 0)
      var noise = NoiseBand(
        scene: scene, pixels: mean.count, noise: mean.mean.squareRoot(),
        low: max(0, mean.mean - reach).squareRoot(), high: (mean.mean + reach).squareRoot())
      switch band {
      case .range(let index): noise.range = Double(index) * NoiseBand.rangeBand
      case .incidence(let index): noise.incidence = index * NoiseBand.incidenceBand
      case .confidence(let level): noise.confidence = level
      }
      return noise
    }
  }
}

extension DepthPlane {
  /// Between a ray and the normal, radians.
  func incidence(_ ray: SIMD3<Double>) -> Double {
    acos(min(1, max(-1, (ray * normal).sum() / (ray * ray).sum().squareRoot())))
  }
}

extension WallPlacement {
  /// Of the larger face where there are two.
  public var noiseBands: [NoiseBand] {
    var sums = NoiseSums()
    for (index, pixel) in wall.pixels.enumerated() {
      guard let deviation = wall.mean.deviation(pixel) else { continue }
      sums.add(
        deviation * deviation, tile: tileOf[index], angle: wall.plane.incidence(wall.rays[pixel]),
        confidence: wall.mean.confidence(pixel))
    }
    return NoiseSums.bands([sums], scene: name)
  }
}

extension BoardTest {
  /// Of all poses.
  public var noiseBands: [NoiseBand] { NoiseSums.bands(poses.map(\.noiseSums)) }
}
