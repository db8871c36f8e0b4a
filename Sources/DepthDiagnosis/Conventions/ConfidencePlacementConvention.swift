import DepthCore

/// Whether the confidence lies on the LiDAR map as stored: what is doubtful lies at edges and where depth is rough.
///
/// Cost: 1 − ρ of the ranks of doubt and of the steps of depth, block by block of the image.
public struct ConfidencePlacementConvention: CompetingConvention {
  /// Least share of pixels that are not of the commonest level, so that there is something to place.
  private static let leastShare = 0.02

  public func axes(for sample: SceneSample) -> [ConventionAxis] {
    [
      ConventionAxis(
        id: "confidence-placement", title: "Confidence against the LiDAR",
        hypotheses: Self.places.map { place in
          Hypothesis(
            place.id, place.statement, symptom: "confident returns are excluded, and doubtful ones used",
            fix: place.id == Symmetry.upright.rawValue
              ? "nothing" : "store lidar/confidence with the rows and columns of lidar/depth")
        }, declared: Symmetry.upright.rawValue, leastExcess: 0.02, costUnit: "1 − ρ of ranks",
        fittingCost: 0.85, property: "rows and columns of lidar/depth")
    ]
  }

  /// Where the confidence of a point may lie.
  private struct Place: Sendable {
    let id: String, statement: String, of: @Sendable (Double, Double) -> (x: Double, y: Double)

    init(_ symmetry: Symmetry) {
      id = symmetry.rawValue
      statement =
        symmetry == .upright
        ? "the confidence lies on the LiDAR map as stored"
        : "the confidence is \(symmetry.name) with respect to the LiDAR map"
      of = { symmetry.place($0, $1) }
    }

    /// - Parameter x: Share of the width.
    /// - Parameter y: Share of the height.
    init(shiftedTo side: String, words: String, x: Double, y: Double) {
      id = "shifted-\(side)"
      statement = "the confidence lies some percent of the image too far \(words)"
      of = { (x: min(max($0 + x, 0), 1), y: min(max($1 + y, 0), 1)) }
    }
  }

  /// Share of width and height by which a shifted map is looked for; more than edges of a LiDAR are displaced.
  private static let shift = 1.0 / 24
  /// A shift must be better by so many standard errors, and by so much.
  private static let (leastMargin, leastGain) = (4.0, 0.1)

  private static let places: [Place] =
    [Symmetry.upright, .mirroredVertically, .mirroredHorizontally, .rotated180].map(Place.init) + [
      Place(shiftedTo: "right", words: "to the right", x: shift, y: 0),
      Place(shiftedTo: "left", words: "to the left", x: -shift, y: 0),
      Place(shiftedTo: "down", words: "down", x: 0, y: shift),
      Place(shiftedTo: "up", words: "up", x: 0, y: -shift),
    ]

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    findings(in: sample, seed: seed).map { finding in
      guard finding.verdict == .contradicted, finding.supported?.hasPrefix("shifted") == true,
        let best = finding.readings.first(where: { $0.hypothesis.id == finding.supported }),
        let declared = finding.readings.first(where: { $0.hypothesis.id == finding.declared })
      else { return finding }
      guard finding.margin ?? 0 >= Self.leastMargin, declared.cost - best.cost >= Self.leastGain else {
        return finding.undecided(
          "\(best.hypothesis.statement), or nearly as stored: doubt and steps of depth agree by ρ "
            + "\((1 - best.cost).rounded2) and \((1 - declared.cost).rounded2)")
      }
      return finding
    }
  }

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
    sample.costs(of: Self.places.count) { frame in
      guard let confidence = frame.confidence else { return [] }
      let steps = EdgeMap(depth: frame.lidar, levels: false)
      return EdgeMap.costs(of: EdgeMap(doubt: confidence), on: steps, at: Self.places.map(\.of))
    }
  }
}
