import DepthCore
import FathomPlainText

/// Where a LiDAR pixel lies in the relative map, to parts of a pixel: pixel centres on centres, corner pixels on corner
/// pixels, or first pixel on first pixel (half a pixel off).
///
/// Depth edges are located in both maps, along rows and columns, to parts of a pixel (``EdgeShifts``). Cost: mean of
/// min(shift − that of the mapping, 2 pixels)²; every quarter of the image counts once.
public struct RegistrationConvention: CompetingConvention {
  public init() {}
  /// Fewest edges of a quarter; largest distance of an edge's two places, LiDAR pixels.
  private static let (fewestEdges, limit) = (12, 2.0)
  /// Mappings that differ by less are one, LiDAR pixels.
  private static let leastShift = 0.05

  public func axes(for sample: SceneSample) -> [ConventionAxis] {
    [
      ConventionAxis(
        id: "relative-registration", title: "Pixels of relative map and LiDAR",
        hypotheses: Self.mappings(sample).map(Self.hypothesis), declared: PositionMapping.centres.rawValue,
        leastExcess: 0.001, costUnit: "mean squared distance of edges, LiDAR pixels²", fittingCost: 1,
        property: "one field of view, outer edge to outer edge")
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
        ? "nothing"
        : "use \(flag: "position-mapping") \(mapping.rawValue), or resample relative/values about pixel centres"
    )
  }

  /// The mappings that differ for these sizes.
  static func mappings(_ sample: SceneSample) -> [PositionMapping] {
    guard let lidar = sample.header.lidarSize, let relative = sample.header.relativeSize
    else { return [.centres] }
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
    return sample.costs(of: mappings.count) { frame in
      guard let relative = frame.relative else { return [] }
      let edges = EdgeShifts(from: frame.lidar, to: relative, sample.header.relativeKind).edges
      return Self.quarters(edges, mappings, lidar: frame.lidar.size, relative: relative.size)
    }
  }

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    findings(in: sample, seed: seed).map { judged($0, in: sample) }
  }

  /// Half a pixel to one side is also what a LiDAR that lies beside the camera looks like: only where just that much is found is it
  /// the maps' mapping.
  private func judged(_ finding: Finding, in sample: SceneSample) -> Finding {
    guard finding.verdict == .contradicted, finding.supported == PositionMapping.scale.rawValue,
      let lidar = sample.header.lidarSize, let relative = sample.header.relativeSize
    else { return finding }
    let edges = sample.frames.flatMap { frame in
      frame.relative.map { EdgeShifts(from: frame.lidar, to: $0, sample.header.relativeKind).edges } ?? []
    }
    for (isAcross, source, target) in [
      (true, lidar.width, relative.width), (false, lidar.height, relative.height),
    ] {
      let claimed = Self.shift(of: .scale, at: Double(source - 1) / 2, source, target)
      let own = edges.filter { $0.isAcross == isAcross && abs($0.shift) <= Self.limit }.map(\.shift)
      guard let found = OrderStatistics.median(of: own), abs(found - claimed) > abs(claimed) / 2
      else { continue }
      return finding.undecided(
        "edges lie \(found.rounded2) LiDAR pixels \(isAcross ? "to the right" : "further down") in the relative map, and half a pixel "
          + "would be \(claimed.rounded2): the LiDAR may lie beside the camera")
    }
    return finding
  }

  private static func quarters(
    _ edges: [EdgeShifts.Edge], _ mappings: [PositionMapping], lidar: RasterSize, relative: RasterSize
  ) -> [[Double]] {
    var sums = [[Double]](repeating: mappings.map { _ in 0 }, count: 4),
      counts = [Int](repeating: 0, count: 4)
    for edge in edges {
      let quarter =
        2 * min(1, Int(saturating: 2 * edge.y / Double(lidar.height)))
        + min(1, Int(saturating: 2 * edge.x / Double(lidar.width)))
      counts[quarter] += 1
      for (h, mapping) in mappings.enumerated() {
        let expected =
          edge.isAcross
          ? shift(of: mapping, at: edge.x, lidar.width, relative.width)
          : shift(of: mapping, at: edge.y, lidar.height, relative.height)
        let distance = min(abs(edge.shift - expected), limit)
        sums[quarter][h] += distance * distance
      }
    }
    return (0..<4).map { quarter in
      sums[quarter].map { counts[quarter] >= fewestEdges ? $0 / Double(counts[quarter]) : .nan }
    }
  }

  /// By how many LiDAR pixels what is seen at a LiDAR position lies farther on in the relative map.
  private static func shift(of mapping: PositionMapping, at x: Double, _ source: Int, _ target: Int) -> Double
  {
    let first = mapping.position(of: 0, source: source, target: target)
    let last = mapping.position(of: source - 1, source: source, target: target)
    let position = first + (last - first) * x / Double(max(1, source - 1))
    return (position + 0.5) * Double(source) / Double(target) - 0.5 - x
  }
}
