import DepthFusion

/// Where a LiDAR pixel lies in the relative map, to parts of a pixel: pixel centres on centres, corner pixels on corner
/// pixels, or first pixel on first pixel (half a pixel off).
///
/// Cost: share of the LiDAR's variance that a line of its own leaves in each block of the image, against the map read
/// bilinearly; blocks without relief say nothing. The map is smoothed first: reading between pixels averages noise, and
/// that must not speak for the mapping that reads between them. The mean over a quarter of the image counts once.
public struct RegistrationTest: ConventionTest {
  public init() {}

  /// Blocks per row and column; least pairs of a block; least share of variance that the best line explains.
  private static let (columns, rows, fewestPairs, leastExplained) = (8, 6, 200, 0.5)
  /// Mappings that differ by less are one, LiDAR pixels.
  private static let leastShift = 0.05

  public func axes(for sample: SceneSample) -> [ConventionAxis] {
    [
      ConventionAxis(
        id: "relative-registration", title: "Pixels of relative map and LiDAR",
        hypotheses: Self.mappings(sample).map(Self.hypothesis), declared: PositionMapping.centres.rawValue,
        leastExcess: 0.0002, costUnit: "unexplained share of variance, block by block")
    ]
  }

  private static func hypothesis(_ mapping: PositionMapping) -> Hypothesis {
    let statement =
      switch mapping {
      case .centres: "both maps cover the same view, outer edge to outer edge"
      case .corners: "the maps' corner pixels lie on each other (align_corners)"
      case .scale: "the maps' first pixels lie on each other: half a pixel off"
      }
    return Hypothesis(
      mapping.rawValue, statement,
      symptom: "edges of the fused depth are shifted by up to half a pixel, to one side or outwards",
      fix: mapping == .centres
        ? "nothing" : "use --position-mapping \(mapping.rawValue), or resample relative/values about pixel centres")
  }

  /// The mappings that differ for these sizes.
  static func mappings(_ sample: SceneSample) -> [PositionMapping] {
    guard let lidar = sample.header.lidarSize, let relative = sample.header.relativeSize else {
      return [.centres]
    }
    return [PositionMapping.centres, .corners, .scale].filter { mapping in
      mapping == .centres
        || [(lidar.width, relative.width), (lidar.height, relative.height)].contains { source, target in
          [0, source - 1].contains { index in
            let shift =
              mapping.position(of: index, source: source, target: target)
              - PositionMapping.centres.position(of: index, source: source, target: target)
            return abs(shift) * Double(source) / Double(target) >= leastShift
          }
        }
    }
  }

  public func objection(to sample: SceneSample) -> String? {
    if sample.header.lidarSize == nil { return "the scene has no LiDAR depth" }
    if sample.header.relativeSize == nil { return "the scene has no relative map" }
    return Self.mappings(sample).count > 1 ? nil : "the maps' sizes leave no room for another mapping"
  }

  public func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    let mappings = Self.mappings(sample)
    let units = sample.frames.flatMap { frame -> [[Double]] in
      guard let relative = frame.relative?.smoothed else { return [] }
      let blocks = mappings.map {
        Self.blocks(frame, Self.samples(of: relative, at: frame.lidar.size, $0), sample.header.relativeKind)
      }
      return Self.quarters(blocks)
    }
    return mappings.indices.map { h in ReadingCosts([h], units.map { $0[h] }) }
  }

  private static func samples(of map: DepthMap, at size: RasterSize, _ mapping: PositionMapping) -> [Double] {
    let x = AxisTable(source: size.width, target: map.width, mapping: mapping)
    let y = AxisTable(source: size.height, target: map.height, mapping: mapping)
    var values: [Double] = []
    values.reserveCapacity(size.count)
    for row in 0..<size.height {
      let (top, bottom) = (Int(y.lower[row]) * map.width, Int(y.upper[row]) * map.width)
      let v = y.weight[row]
      for column in 0..<size.width {
        let (left, right, u) = (Int(x.lower[column]), Int(x.upper[column]), x.weight[column])
        let upper = Double(map.values[top + left]) * (1 - u) + Double(map.values[top + right]) * u
        let lower = Double(map.values[bottom + left]) * (1 - u) + Double(map.values[bottom + right]) * u
        values.append(upper * (1 - v) + lower * v)
      }
    }
    return values
  }

  /// Sums of a block's pairs.
  private struct Sums {
    var n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0

    mutating func add(_ a: Double, _ b: Double) {
      n += 1
      x += a
      y += b
      xx += a * a
      xy += a * b
      yy += b * b
    }

    /// Share of y's variance that a line in x leaves; NaN without variance.
    var unexplained: Double {
      let (sxx, sxy, syy) = (xx - x * x / n, xy - x * y / n, yy - y * y / n)
      return sxx > 0 && syy > 0 ? max(1 - sxy * sxy / (sxx * syy), 1e-9) : .nan
    }
  }

  private static func blocks(_ frame: DepthFrame, _ relative: [Double], _ kind: RelativeKind) -> [Double] {
    let lidar = frame.lidar
    var sums = [Sums](repeating: Sums(), count: columns * rows)
    for row in 0..<lidar.height {
      for column in 0..<lidar.width {
        let index = row * lidar.width + column
        let depth = Double(lidar.values[index])
        guard depth > 0, depth.isFinite, relative[index].isFinite,
          frame.confidence.map({ $0.values[index] == 2 }) ?? true
        else { continue }
        sums[row * rows / lidar.height * columns + column * columns / lidar.width]
          .add(relative[index], kind == .depth ? depth : 1 / depth)
      }
    }
    return sums.map { $0.n >= Double(fewestPairs) ? $0.unexplained : .nan }
  }

  /// Means over a quarter's blocks that have relief.
  private static func quarters(_ blocks: [[Double]]) -> [[Double]] {
    (0..<4).compactMap { quarter in
      let chosen = (0..<columns * rows).filter { block in
        let (row, column) = (block / columns, block % columns)
        return 2 * row / rows == quarter / 2 && 2 * column / columns == quarter % 2
          && blocks.allSatisfy { $0[block].isFinite }
          && blocks.contains { $0[block] < 1 - leastExplained }
      }
      guard !chosen.isEmpty else { return nil }
      return blocks.map { costs in
        chosen.reduce(0) { $0 + costs[$1] } / Double(chosen.count)
      }
    }
  }
}

extension DepthMap {
  /// With the binomial weights 1, 4, 6, 4, 1 along rows and columns; not finite near what is not finite.
  fileprivate var smoothed: DepthMap {
    let weights: [Float] = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]
    var across = self
    for row in 0..<height {
      for column in 0..<width {
        var sum: Float = 0
        for step in -2...2 {
          sum += weights[step + 2] * values[row * width + Swift.min(Swift.max(column + step, 0), width - 1)]
        }
        across.values[row * width + column] = sum
      }
    }
    var result = across
    for row in 0..<height {
      for column in 0..<width {
        var sum: Float = 0
        for step in -2...2 {
          sum += weights[step + 2] * across.values[Swift.min(Swift.max(row + step, 0), height - 1) * width + column]
        }
        result.values[row * width + column] = sum
      }
    }
    return result
  }
}
