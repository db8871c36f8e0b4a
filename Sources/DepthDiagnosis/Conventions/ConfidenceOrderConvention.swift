import DepthCore

/// Whether 2 is the high confidence: returns that are called high lie more smoothly than those that are called low.
///
/// Cost: mean roughness of what is called high. Roughness is |δ − (δₗ + δᵣ)/2|/δ of the disparity δ and its neighbours,
/// along the row or the column, whichever is less: 0 on any plane.
public struct ConfidenceOrderConvention: CompetingConvention {
  public init() {}
  public let correctable = ["confidence-order"]
  /// Fewest returns of a level in a part of a frame; roughness beyond the limit is an edge.
  private static let (fewestReturns, limit) = (20, 0.1)
  private static let side = 4

  public func axes(for sample: SceneSample) -> [ConventionAxis] {
    [
      ConventionAxis(
        id: "confidence-order", title: "Order of the confidence",
        hypotheses: [
          Hypothesis("2-is-high", "returns of confidence 2 are the smoothest", fix: "nothing"),
          Hypothesis(
            "0-is-high", "returns of confidence 0 are the smoothest",
            symptom: "fits use returns that should be excluded",
            fix: "store 2 − confidence in lidar/confidence",
            correction: .confidence(stored: [0, 1, 2], levels: [2, 1, 0])),
        ], declared: "2-is-high", leastExcess: 0.0005, costUnit: "mean roughness of returns called high",
        property: "0 low, 1 medium, 2 high")
    ]
  }

  public func objection(to sample: SceneSample) -> String? {
    if sample.header.lidarSize == nil { return "the scene has no LiDAR depth" }
    return sample.frames.contains { $0.confidence != nil } ? nil : "the scene has no confidence"
  }

  /// Behind glass, returns of low confidence are wrong and smooth: the order is reversed only if medium confidence says so,
  /// too, and not if a sensor would call fewer returns high than low.
  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    findings(in: sample, seed: seed).map { finding in
      guard finding.verdict == .contradicted else { return finding }
      var (counts, sums) = ([0, 0, 0], [SIMD2<Double>](repeating: .zero, count: 3))
      for frame in sample.frames {
        guard let confidence = frame.confidence else { continue }
        for level in confidence.values where level <= 2 { counts[Int(level)] += 1 }
        for part in Self.roughness(frame.lidar, confidence) {
          for level in 0..<3 where part[level].isFinite { sums[level] += [part[level], 1] }
        }
      }
      guard counts[0] >= counts[2] else {
        return finding.undecided(
          "returns of confidence 0 are the smoothest, but there are fewer of them than of confidence 2")
      }
      guard !(sums[1].x / sums[1].y > sums[2].x / sums[2].y) else {
        return finding.undecided(
          "returns of confidence 0 are the smoothest, but those of confidence 1 are rougher than those of confidence 2"
        )
      }
      return finding
    }
  }

  public func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    sample.costs(of: 2) { frame in
      guard let confidence = frame.confidence else { return [] }
      return Self.roughness(frame.lidar, confidence).map { [$0[2], $0[0]] }
    }
  }

  /// Mean roughness per part of the image and level; NaN where a level has too few returns.
  private static func roughness(_ depth: DepthMap, _ confidence: Raster<UInt8>) -> [[Double]] {
    guard depth.size == confidence.size, depth.width > 2, depth.height > 2 else { return [] }
    var sums = [[Double]](repeating: [0, 0, 0], count: side * side),
      counts = [[Int]](repeating: [0, 0, 0], count: side * side)
    let disparity = depth.values.map { z -> Double in z > 0 && z.isFinite ? 1 / Double(z) : .nan }
    for row in 1..<depth.height - 1 {
      for column in 1..<depth.width - 1 {
        let index = row * depth.width + column, level = Int(confidence.values[index])
        guard level <= 2 else { continue }
        let centre = disparity[index]
        let across = abs(centre - (disparity[index - 1] + disparity[index + 1]) / 2)
        let down = abs(centre - (disparity[index - depth.width] + disparity[index + depth.width]) / 2)
        let least = min(across, down) / centre
        guard least.isFinite else { continue }
        let part = side * (side * row / depth.height) + side * column / depth.width
        sums[part][level] += min(least, limit)
        counts[part][level] += 1
      }
    }
    return (0..<side * side).map { part in
      (0..<3).map { level in
        counts[part][level] >= fewestReturns ? sums[part][level] / Double(counts[part][level]) : .nan
      }
    }
  }
}
