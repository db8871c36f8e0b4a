import DepthCore

/// Whether the confidence lies on the LiDAR map as stored: what is doubtful lies at edges and where depth is rough.
///
/// Cost: 1 − ρ of the ranks of doubt and of the steps of depth, block by block of the image.
public struct ConfidencePlacementConvention: CompetingConvention {
  public init() {}

  /// Least share of pixels that are not of the commonest level, so that there is something to place.
  private static let leastShare = 0.02

  public func axes(for sample: SceneSample) -> [ConventionAxis] {
    [
      ConventionAxis(
        id: "confidence-placement", title: "Confidence against the LiDAR",
        hypotheses: Self.symmetries.map { symmetry in
          Hypothesis(
            symmetry.rawValue,
            symmetry == .upright
              ? "the confidence lies on the LiDAR map as stored"
              : "the confidence is \(symmetry.name) with respect to the LiDAR map",
            symptom: "sure returns are left out, and doubtful ones used",
            fix: symmetry == .upright
              ? "nothing" : "store lidar/confidence with the rows and columns of lidar/depth")
        }, declared: Symmetry.upright.rawValue, leastExcess: 0.02, costUnit: "1 − ρ of ranks",
        fittingCost: 0.85, property: "rows and columns of lidar/depth")
    ]
  }

  private static let symmetries: [Symmetry] = [
    .upright, .mirroredVertically, .mirroredHorizontally, .rotated180,
  ]

  public func objection(to sample: SceneSample) -> String? {
    if sample.header.lidarSize == nil { return "the scene has no LiDAR depth" }
    let levels = sample.frames.compactMap(\.confidence)
    guard !levels.isEmpty else { return "the scene has no confidence" }
    var counts = [Int](repeating: 0, count: 256)
    for map in levels { for value in map.values { counts[Int(value)] += 1 } }
    let all = counts.reduce(0, +)
    return Double(all - (counts.max() ?? 0)) >= Self.leastShare * Double(all)
      ? nil : "nearly all returns have one confidence"
  }

  public func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    var (rows, frames): ([[Double]], [Int]) = ([], [])
    for (position, frame) in sample.frames.enumerated() {
      guard let confidence = frame.confidence else { continue }
      let steps = EdgeMap(depth: frame.lidar, levels: false)
      let doubt = EdgeMap(doubt: confidence)
      let costs = EdgeMap.costs(of: doubt, on: steps, Self.symmetries)
      for part in costs.first?.indices ?? 0..<0 {
        rows.append(costs.map { $0[part] })
        frames.append(position)
      }
    }
    return Self.symmetries.indices.map { h in ReadingCosts([h], rows.map { $0[h] }, of: frames) }
  }
}
