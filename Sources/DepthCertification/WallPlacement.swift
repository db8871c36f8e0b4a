public import DepthCore

/// What a tape from the camera to the wall measures.
public enum TapeReading: String, Sendable, Hashable, Codable, CaseIterable {
  /// The shortest distance from the camera centre to the wall.
  case perpendicular
  /// Along the optical axis.
  case axis
}

/// A camera before a wall: the second pass over the frames of a scene, which says how its distance varies over time and over the map.
///
/// With a second face, parallel to the wall, the distance is that of the centre of the face from the wall, along the wall's normal.
public struct WallPlacement: Sendable {
  public let name: String
  public let wall: Wall
  public let face: Wall?
  public let tape: TapeReading
  /// When the recording began, seconds, as its time stamps count; nil where there are none.
  public let start: Double?
  /// Frames that were skipped, because another has the same map.
  public let copies: Int
  /// Distance by frame as the tape reads it, metres; what both faces share cancels in it.
  public private(set) var series: [Double] = []

  /// Tiles of the map, or of the box about each of two faces, columns and rows: parts that are taken to be independent of each other. A
  /// fixed pattern and noise that are correlated over shorter distances than a tile widen the uncertainty as they should.
  static let tiles = RasterSize(width: 6, height: 5)

  /// As the tape reads it, of the mean over time, metres.
  public let distance: Double
  /// Angle between the two faces and its standard uncertainty, radians; nil for one wall.
  public private(set) var angle: (value: Double, deviation: Double)?

  /// Of the wall, then those of the face.
  private let pixels: [Int]
  /// ∂distance/∂depth of every pixel.
  private let weights: [Double]
  let tileOf: [Int]
  /// Of the mean map along the optical axis, metres.
  private let residuals: [Double]
  /// Contribution of each tile's mean residual to the distance, metres: they add up to 0, and their spread is its uncertainty.
  let pattern: [Double]
  private var sums: [Double], squares: [Double]

  public init(
    _ name: String, _ wall: Wall, face: Wall? = nil, tape: TapeReading = .perpendicular, start: Double? = nil,
    copies: Int = 0
  ) {
    (self.name, self.wall, self.face, self.tape, self.start) = (name, wall, face, tape, start)
    self.copies = copies
    let faces = [wall, face].compactMap(\.self)
    pixels = faces.flatMap(\.pixels)
    residuals = faces.flatMap { face in face.pixels.map(face.residual) }
    let gradients = face.map { Self.gradients(wall.plane, $0) } ?? [Self.gradient(wall.plane, tape)]
    weights = zip(faces, gradients).flatMap { $0.weights($1) }
    let whole = (columns: 0...wall.size.width - 1, rows: 0...wall.size.height - 1)
    tileOf = faces.enumerated().flatMap { index, part in
      part.tiles(Self.tiles, of: face == nil ? whole : part.box).map { $0 + index * Self.tiles.count }
    }
    sums = [Double](repeating: 0, count: faces.count * Self.tiles.count)
    squares = sums
    pattern = zip(tileOf, zip(weights, residuals)).reduce(into: sums) { $0[$1.0] += $1.1.0 * $1.1.1 }
    guard let face else {
      distance = wall.plane.distance(tape)
      return
    }
    distance = wall.plane.distance * abs(face.plane.depth(face.centre) / wall.plane.depth(face.centre) - 1)
    let chord = wall.plane.normal - face.plane.normal
    let direction = chord / max(1e-12, (chord * chord).sum().squareRoot())
    let slopes = faces.flatMap { part in
      let normal = part.plane.normal
      return part.weights(part.plane.distance * (direction - normal * (normal * direction).sum()))
    }
    let turns = zip(tileOf, zip(slopes, residuals)).reduce(into: sums) { $0[$1.0] += $1.1.0 * $1.1.1 }
    let variance = variances(turns).reduce(0) { $0 + $1.variance }
    angle = (wall.plane.angle(to: face.plane), variance.squareRoot())
  }

  /// ∂separation of the plane of each of two faces.
  private static func gradients(_ plane: DepthPlane, _ face: Wall) -> [SIMD3<Double>] {
    let (ray, h) = (face.centre, plane.distance)
    let depth = face.plane.depth(ray)
    let ratio = depth / plane.depth(ray)
    let sign: Double = ratio > 1 ? 1 : -1
    return [sign * (h * depth * ray - h * h * h * (ratio - 1) * plane.p), -sign * h * ratio * depth * ray]
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
    for (index, pixel) in pixels.enumerated() {
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
  public var effectiveFrames: Double { Self.effectiveCount(series) }

  static func effectiveCount(_ series: [Double]) -> Double {
    let n = Double(series.count)
    guard series.count > 4 else { return n }
    let (mean, variance) = moments(series)
    let square = variance * (n - 1)
    var product = 0.0
    for index in 1..<series.count { product += (series[index - 1] - mean) * (series[index] - mean) }
    guard square > 0 else { return n }
    let correlation = min(0.99, max(0, (n * product / square + 1) / (n - 3)))
    return max(2, n * (1 - correlation) / (1 + correlation))
  }

  /// u² of the mean distance because frames differ, m².
  var frameVariance: Double { Self.meanVariance(series) }

  /// u² of the mean of correlated values; 0 with one.
  static func meanVariance(_ series: [Double]) -> Double {
    guard series.count > 1 else { return 0 }
    let n = Double(series.count)
    return moments(series).variance * (n - 1) / n / (effectiveCount(series) - 1)
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
    let variances = pixels.compactMap { wall.mean.deviation($0).map { $0 * $0 } }
    return variances.isEmpty ? nil : (variances.reduce(0, +) / Double(variances.count)).squareRoot()
  }

  /// Independent pixels that would give the distance as much noise; nil without noise.
  public var effectivePixels: Double? {
    guard let noise = pixelNoise, let deviation = frameDeviation, noise > 0, deviation > 0 else { return nil }
    let independent = noise * noise * weights.reduce(0) { $0 + $1 * $1 }
    return Double(weights.count) * min(1, independent / (deviation * deviation))
  }

  /// Step between the values of the file here, metres; 0 where there is none.
  public var resolution: Double { wall.mean.resolution(at: face == nil ? distance : wall.plane.distance) }

  /// Standard deviation of the distance because of the steps, metres: those at two faces are independent.
  var resolutionDeviation: Double {
    let other = face.map { wall.mean.resolution(at: $0.plane.distance) } ?? 0
    return ((resolution * resolution + other * other) / 12).squareRoot()
  }

  /// Distances of the mean map from the plane, perpendicular to it, metres.
  private var offsets: [Double] {
    [wall, face].compactMap(\.self).flatMap { part in
      part.pixels.map { part.residual($0) * part.plane.distance / part.plane.depth(part.rays[$0]) }
    }
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
  /// less than a quarter of their pixels do not count. Of two faces the larger one.
  public var bow: Double {
    var (totals, counts) = (
      [Double](repeating: 0, count: pattern.count), [Int](repeating: 0, count: pattern.count)
    )
    for (tile, offset) in zip(tileOf, offsets) {
      totals[tile] += offset
      counts[tile] += 1
    }
    let bows = [wall, face].compactMap(\.self).enumerated().map { index, part in
      let count = face == nil ? wall.size.count : part.box.columns.count * part.box.rows.count
      let tiles = index * Self.tiles.count..<(index + 1) * Self.tiles.count
      let means = tiles.filter { 4 * counts[$0] > count / Self.tiles.count }.map {
        totals[$0] / Double(counts[$0])
      }
      return (means.max() ?? 0) - (means.min() ?? 0)
    }
    return bows.max() ?? 0
  }

  /// u² of a sum over the tiles of each face, because the mean maps are not planes: as the tiles with pixels spread.
  private func variances(_ contributions: [Double]) -> [(variance: Double, freedom: Double)] {
    let used = Set(tileOf)
    return stride(from: 0, to: contributions.count, by: Self.tiles.count).map { start in
      let tiles = (start..<start + Self.tiles.count).filter(used.contains)
      // A fit of three parameters leaves so many tiles to vary.
      let freedom = Double(max(1, tiles.count - 3))
      return (
        tiles.reduce(0) { $0 + contributions[$1] * contributions[$1] } * Double(tiles.count) / freedom,
        freedom
      )
    }
  }

  /// Of ``pattern``, for each face.
  var patternVariances: [(variance: Double, freedom: Double)] { variances(pattern) }

  /// How much the separation differs over the face because the faces are not parallel, standard uncertainty, metres: the part of ``angle``
  /// that three times its uncertainty does not explain, times the root mean square distance of the face's pixels from its centre in one
  /// direction.
  var parallelism: Double? {
    guard let face, let angle else { return nil }
    let centre = face.centre * face.plane.depth(face.centre)
    let square = face.pixels.reduce(0.0) { sum, pixel in
      let way = face.rays[pixel] * face.plane.depth(face.rays[pixel]) - centre
      return sum + (way * way).sum()
    }
    let significant = max(0, angle.value * angle.value - 9 * angle.deviation * angle.deviation)
    return (significant * square / Double(2 * face.pixels.count)).squareRoot()
  }

  /// ∂distance by a relative error of the focal length, and by errors of the principal point as shares of the focal length, metres.
  var cameraSensitivity: (focal: Double, centreX: Double, centreY: Double) {
    let p = wall.plane.p
    // Wrong intrinsics stretch a separation as they stretch the distance of the wall.
    let share = face == nil ? 1 : distance / wall.plane.distance
    let gradient = share * Self.gradient(wall.plane, tape)
    // A larger focal length flattens rays: x(1 − ε), so the plane's slopes grow; a principal point to the right shifts x by −ε.
    return (gradient.x * p.x + gradient.y * p.y, gradient.z * p.x, gradient.z * p.y)
  }
}

extension Wall {
  /// Of the mean map along the optical axis, metres.
  func residual(_ pixel: Int) -> Double { mean.mean[pixel] - plane.depth(rays[pixel]) }

  /// Mean ray of the pixels.
  var centre: SIMD3<Double> { pixels.reduce(.zero) { $0 + rays[$1] } / Double(pixels.count) }

  /// ∂/∂depth of every pixel of a value with this gradient in the plane.
  func weights(_ gradient: SIMD3<Double>) -> [Double] {
    let direction = SIMD3(
      (inverse[0] * gradient).sum(), (inverse[1] * gradient).sum(), (inverse[2] * gradient).sum())
    return pixels.map { pixel in
      let z = plane.depth(rays[pixel])
      return (direction * (-z * z * rays[pixel])).sum()
    }
  }

  /// The tile of every pixel in a box of the map.
  func tiles(_ tiles: RasterSize, of box: (columns: ClosedRange<Int>, rows: ClosedRange<Int>)) -> [Int] {
    pixels.map { pixel in
      let (row, column) = (
        pixel / size.width - box.rows.lowerBound, pixel % size.width - box.columns.lowerBound
      )
      return row * tiles.height / box.rows.count * tiles.width + column * tiles.width / box.columns.count
    }
  }
}
