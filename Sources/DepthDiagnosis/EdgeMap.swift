import DepthCore
import DepthFusion
import Foundation

/// Where a map changes: sizes of its gradient, softened, so that maps of other kinds can be compared with it. Which side of
/// an edge is nearer or brighter does not matter, so it knows nothing of kinds.
struct EdgeMap {
  /// Most columns and rows.
  private static let limit = 96
  /// Sizes of gradients; NaN where the map has nothing.
  let sizes: DepthMap

  /// - Parameter values: One per pixel; NaN where there is none.
  private init(width: Int, height: Int, values: [Double], levels: Bool = true) {
    var sizes = [Float](repeating: .nan, count: width * height)
    for row in stride(from: 1, to: height - 1, by: 1) {
      for column in stride(from: 1, to: width - 1, by: 1) {
        let index = row * width + column
        let across = values[index + 1] - values[index - 1],
          down = values[index + width] - values[index - width]
        sizes[index] = Float((across * across + down * down).squareRoot())
      }
    }
    for _ in 0..<2 { sizes = Self.softened(sizes, width: width, height: height) }
    let map = DepthMap(width: width, height: height, values: sizes)
    self.sizes = levels ? Self.levelled(map, reach: max(4, max(width, height) / Self.neighbourhood)) : map
  }

  /// Shares of the map's longer side that make a neighbourhood.
  private static let neighbourhood = 10

  /// Each divided by the mean of its neighbourhood: near floors are steep everywhere, and lawns are textured; what counts is
  /// where an edge lies among what is around it.
  private static func levelled(_ map: DepthMap, reach: Int) -> DepthMap {
    let (width, height) = (map.width, map.height)
    var sums = [SIMD2<Double>](repeating: .zero, count: (width + 1) * (height + 1))
    for row in 0..<height {
      var line = SIMD2<Double>.zero
      for column in 0..<width {
        let value = Double(map[row, column])
        if value.isFinite { line += SIMD2(value, 1) }
        sums[(row + 1) * (width + 1) + column + 1] = sums[row * (width + 1) + column + 1] + line
      }
    }
    var levelled = map
    for row in 0..<height {
      for column in 0..<width {
        let (top, bottom) = (max(0, row - reach), min(height, row + reach + 1))
        let (left, right) = (max(0, column - reach), min(width, column + reach + 1))
        let sum =
          sums[bottom * (width + 1) + right] - sums[top * (width + 1) + right]
          - sums[bottom * (width + 1) + left] + sums[top * (width + 1) + left]
        levelled[row, column] = sum.x > 0 ? Float(Double(map[row, column]) * sum.y / sum.x) : .nan
      }
    }
    return levelled
  }

  /// Steps of ln(depth), of a LiDAR map or a truth.
  /// - Parameter levels: Whether each is compared with its neighbourhood.
  init(depth: DepthMap, levels: Bool = true) {
    let small = Self.averaged(depth) { $0 > 0 && $0.isFinite ? Foundation.log(Double($0)) : .nan }
    self.init(width: small.size.width, height: small.size.height, values: small.values, levels: levels)
  }

  /// Steps of the values of a relative map.
  init(relative: DepthMap) {
    let small = Self.averaged(relative) { $0.isFinite ? Double($0) : .nan }
    self.init(width: small.size.width, height: small.size.height, values: small.values)
  }

  /// Steps of the brightness.
  init(image: Raster<RGB>) {
    let small = Self.averaged(image) { ($0.luminance + 0.01).squareRoot() }
    self.init(width: small.size.width, height: small.size.height, values: small.values)
  }

  /// How doubtful returns are: no steps, but what lies at steps of depth.
  init(doubt confidence: Raster<UInt8>) {
    let small = Self.averaged(confidence) { 2 - Double(min($0, 2)) }
    var sizes = small.values.map { Float($0) }
    for _ in 0..<2 { sizes = Self.softened(sizes, width: small.size.width, height: small.size.height) }
    self.sizes = DepthMap(width: small.size.width, height: small.size.height, values: sizes)
  }

  /// Means over k×k pixels of those that have a value.
  private static func averaged<Element>(
    _ map: Raster<Element>, _ value: (Element) -> Double
  ) -> (size: RasterSize, values: [Double]) {
    let (step, size) = (map.size.step(to: limit), map.size.reduced(to: limit))
    var values: [Double] = []
    values.reserveCapacity(size.count)
    for row in 0..<size.height {
      for column in 0..<size.width {
        var (sum, count) = (0.0, 0.0)
        for y in row * step..<(row + 1) * step {
          for x in column * step..<(column + 1) * step {
            let value = value(map[y, x])
            guard value.isFinite else { continue }
            sum += value
            count += 1
          }
        }
        values.append(count > 0 ? sum / count : .nan)
      }
    }
    return (size, values)
  }

  /// Means of 3×3 of those that have a value.
  private static func softened(_ sizes: [Float], width: Int, height: Int) -> [Float] {
    var softened = sizes
    for row in 0..<height {
      for column in 0..<width {
        var (sum, count) = (Float(0), Float(0))
        for y in max(0, row - 1)...min(height - 1, row + 1) {
          for x in max(0, column - 1)...min(width - 1, column + 1) where sizes[y * width + x].isFinite {
            sum += sizes[y * width + x]
            count += 1
          }
        }
        softened[row * width + column] = count > 0 ? sum / count : .nan
      }
    }
    return softened
  }

  /// The sizes row by row, in a raster of another size, at places of the map.
  func samples(in size: RasterSize, at place: (Double, Double) -> (x: Double, y: Double)) -> [Double] {
    sizes.samples(in: size, at: place)
  }

  /// Blocks per side: edges reach less far than the errors of a network.
  private static let blocks = 6

  /// 1 − ρ of the ranks of two maps' edges, one row per block of the first, for every symmetry of the second.
  static func costs(of second: EdgeMap, on first: EdgeMap, _ symmetries: [Symmetry]) -> [[Double]] {
    costs(of: second, on: first, at: symmetries.map { symmetry in { symmetry.place($0, $1) } })
  }

  /// The same for any places of the second, in shares of width and height.
  static func costs(
    of second: EdgeMap, on first: EdgeMap, at places: [(Double, Double) -> (x: Double, y: Double)]
  ) -> [[Double]] {
    let size = first.sizes.size, own = first.sizes.values.map(Double.init)
    let found = RankCost.blocks(
      own, each: places.map { second.samples(in: size, at: $0) }, size, side: blocks)
    return (0..<blocks * blocks).map { part in found.map { $0[part]?.rising ?? .nan } }
  }
}

/// What the edges of one sort of map say about how another lies on it.
struct EdgeEvidence {
  /// One row per part of a view, one cost per symmetry: 1 − ρ.
  let rows: [[Double]]
  let views: [Int]
  private let symmetries: [Symmetry]

  /// - Parameter first: The map that is taken to be upright; nil for a frame that has none.
  /// - Parameter second: The map whose place is asked for.
  init(
    _ sample: SceneSample, _ symmetries: [Symmetry] = Symmetry.allCases,
    of second: @Sendable (DepthFrame) -> EdgeMap?, on first: @Sendable (DepthFrame) -> EdgeMap?
  ) {
    let (rows, frames) = sample.parts { frame -> [[Double]] in
      guard let upright = first(frame), let other = second(frame) else { return [] }
      return EdgeMap.costs(of: other, on: upright, symmetries)
    }
    (self.rows, views) = sample.pooled(rows, of: frames)
    self.symmetries = symmetries
  }

  /// Mean correlation of edges where the second map lies like this; nil where nothing was compared.
  func correlation(_ symmetry: Symmetry) -> Double? {
    guard let h = symmetries.firstIndex(of: symmetry), !rows.isEmpty else { return nil }
    return 1 - rows.reduce(0) { $0 + $1[h] } / Double(rows.count)
  }

  /// As a witness for one symmetry against another; nil where nothing was compared.
  func witness(_ name: String, for supported: Symmetry, against declared: Symmetry) -> Finding.Witness? {
    guard let a = symmetries.firstIndex(of: supported), let b = symmetries.firstIndex(of: declared),
      let ours = correlation(supported), let theirs = correlation(declared), a != b
    else { return nil }
    guard let margin = Evidence.margin(rows.map { [$0[b], $0[a]] }, views: views) else { return nil }
    var witness = Finding.Witness(
      name: name, margin: margin,
      statement:
        "\(name): correlation \(ours.rounded2) \(supported.name), \(theirs.rounded2) \(declared.name)")
    witness.fits = max(ours, theirs) >= Self.leastCorrelation
    return witness
  }

  /// Edges of pictures and of depths that belong together correlate by 0.15 to 0.5 on real recordings; what
  /// correlates less does not know where it lies.
  private static let leastCorrelation = 0.1
}

extension Double {
  /// With two decimals, for correlations.
  var rounded2: String { String((self * 100).rounded() / 100) }
}

extension Raster<Float> {
  /// Values row by row in a raster of another size, at places of this one: the nearest.
  func samples(in size: RasterSize, at place: (Double, Double) -> (x: Double, y: Double)) -> [Double] {
    var values: [Double] = []
    values.reserveCapacity(size.count)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let (x, y) = place(
          (Double(column) + 0.5) / Double(size.width), (Double(row) + 0.5) / Double(size.height))
        let (c, r) = (
          Swift.min(width - 1, Int(x * Double(width))), Swift.min(height - 1, Int(y * Double(height)))
        )
        values.append(Double(self[r, c]))
      }
    }
    return values
  }
}
