import DepthCore

/// Whether the camera image lies on the LiDAR map as stored, by the edges of both; and, where there is a relative map, by
/// its edges, which follow the image's.
///
/// Cost: 1 − ρ of the ranks of steps of brightness and of depth, block by block of the image. Textures have edges that depth
/// has not, so correlations are small, and a contradiction needs more than elsewhere.
public struct ImageOrientationConvention: CompetingConvention {
  private static let leastMargin = 4.0, leastGain = 0.12

  public func axes(for sample: SceneSample) -> [ConventionAxis] {
    [
      ConventionAxis(
        id: "image-orientation", title: "Camera image against the LiDAR",
        hypotheses: Self.symmetries.map { symmetry in
          Hypothesis(
            symmetry.rawValue,
            symmetry == .upright
              ? "the camera image lies on the LiDAR map as stored"
              : "the camera image is \(symmetry.name) with respect to the LiDAR map",
            symptom: "colours of points belong to other places",
            fix: symmetry == .upright
              ? "nothing"
              : "store image/rgb with rows from the top and columns from the left of the LiDAR's view")
        }, declared: Symmetry.upright.rawValue, leastExcess: 0.02, costUnit: "1 − ρ of ranks of edges",
        fittingCost: 0.8, property: "rows from the top, columns from the left")
    ]
  }

  private static let symmetries: [Symmetry] = [
    .upright, .mirroredVertically, .mirroredHorizontally, .rotated180,
  ]

  public func objection(to sample: SceneSample) -> String? {
    if sample.header.lidarSize == nil { return "the scene has no LiDAR depth" }
    return sample.frames.contains { $0.image != nil } ? nil : "the scene has no camera image"
  }

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    if let reason = earlier.reasonToWait(for: ["aspect-ratio", "repeated-frames"]) {
      return axes(for: sample).map { Finding(notTestable: $0, in: sample.header, reason) }
    }
    return findings(in: sample, seed: seed).map { judged($0, sample, earlier) }
  }

  private func judged(_ finding: Finding, _ sample: SceneSample, _ earlier: [Finding]) -> Finding {
    guard finding.verdict == .contradicted,
      let supported = finding.supported.flatMap(Symmetry.init(rawValue:)),
      let best = finding.readings.first(where: { $0.hypothesis.id == supported.rawValue }),
      let declared = finding.readings.first(where: { $0.hypothesis.id == Symmetry.upright.rawValue })
    else { return finding }
    var finding = finding
    let numbers =
      "edges agree by ρ \((1 - best.cost).rounded2) \(supported.name), "
      + "\((1 - declared.cost).rounded2) as stored"
    // A relative map that lies on the LiDAR knows how its image lay.
    if earlier.first(where: { $0.test == "relative-orientation" })?.verdict == .confirmed {
      let edges = EdgeEvidence(
        sample, Self.symmetries, of: { $0.image.map(EdgeMap.init(image:)) },
        on: { $0.relative.map(EdgeMap.init(relative:)) })
      finding.witnesses = [edges.witness("edges of the relative map", for: supported, against: .upright)]
        .compactMap { $0 }
    }
    if finding.witnesses.contains(where: \.objects) {
      return finding.undecided("the witnesses disagree: \(numbers); \(finding.witnesses[0].statement)")
    }
    let isSure = finding.witnesses.contains(where: \.agrees)
    guard isSure || (finding.margin ?? 0 >= Self.leastMargin && declared.cost - best.cost >= Self.leastGain)
    else { return finding.undecided("too little to call the image wrong: \(numbers)") }
    finding.summary += ". Evidence: \(numbers)"
    return finding
  }

  public func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    sample.costs(of: Self.symmetries.count) { frame in
      guard let image = frame.image else { return [] }
      return EdgeMap.costs(of: EdgeMap(image: image), on: EdgeMap(depth: frame.lidar), Self.symmetries)
    }
  }
}
