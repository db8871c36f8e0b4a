import DepthCore

/// Whether the relative map lies on the LiDAR map as stored, or mirrored or turned, and whether it is disparity or
/// depth: judged together, because a mirrored map has a sign of its own.
///
/// Cost: 1 ∓ ρ of the ranks of relative values and 1/LiDAR, block by block of the image; ranks, so that the form does
/// not matter (domain §2). Which form fits best is another question and no contradiction.
public struct RelativeLayoutConvention: CompetingConvention {
  public init() {}

  private static let costUnit = "1 ∓ ρ of ranks"

  public func axes(for sample: SceneSample) -> [ConventionAxis] {
    let kind = sample.header.relativeKind
    return [
      ConventionAxis(
        id: "relative-orientation", title: "Relative map against the LiDAR",
        hypotheses: Symmetry.allCases.map(Self.hypothesis), declared: Symmetry.upright.rawValue,
        leastExcess: 0.02, costUnit: Self.costUnit),
      ConventionAxis(
        id: "relative-kind", title: "Disparity or depth",
        hypotheses: [.disparity, .depth].map { (kind: RelativeKind) in
          Hypothesis(
            kind.rawValue, "larger relative values are \(kind == .disparity ? "nearer" : "farther")",
            symptom:
              "a fit in the other sense has a negative slope and is rejected, or turns the scene inside out",
            fix: "set the attribute kind of relative/values to '\(kind.rawValue)'",
            correction: .attribute(object: "relative/values", name: "kind", value: kind.rawValue))
        },
        declared: kind == .unknown ? nil : kind.rawValue,
        leastExcess: 0.05, costUnit: Self.costUnit),
    ]
  }

  private static func hypothesis(_ symmetry: Symmetry) -> Hypothesis {
    guard symmetry != .upright else {
      return Hypothesis(symmetry.rawValue, "the relative map lies on the LiDAR map as stored", fix: "nothing")
    }
    return Hypothesis(
      symmetry.rawValue, "the relative map is \(symmetry.name) with respect to the LiDAR map",
      symptom: symmetry == .mirroredVertically
        ? "depths come from the wrong rows: near and far change places between top and bottom"
        : "depths come from the wrong place: near and far change sides",
      fix: "store relative/values with rows from the top and columns from the left of the LiDAR's view",
      correction: .orientation(object: "relative/values", stored: symmetry))
  }

  public func objection(to sample: SceneSample) -> String? {
    if sample.header.lidarSize == nil { return "the scene has no LiDAR depth" }
    return sample.header.relativeSize == nil ? "the scene has no relative map" : nil
  }

  public func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    let grids = sample.frames.filter { $0.relative != nil }.map { ($0, DepthGrid($0, leastConfidence: 0)) }
    return Symmetry.allCases.enumerated().flatMap { position, symmetry in
      let blocks = grids.map { frame, grid in
        RankCost.blocks(
          grid.disparity, frame.relative.map { grid.samples(of: $0, at: symmetry.place) } ?? [], grid.size)
      }
      return [
        ReadingCosts([position, 0], blocks.flatMap { $0.map { $0?.rising ?? .nan } }),
        ReadingCosts([position, 1], blocks.flatMap { $0.map { $0?.falling ?? .nan } }),
      ]
    }
  }
}
