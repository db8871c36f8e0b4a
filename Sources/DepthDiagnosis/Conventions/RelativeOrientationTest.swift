public import DepthFusion

/// Whether the relative map lies on the LiDAR map as stored, or mirrored or turned: the eight symmetries of a rectangle.
///
/// Cost: 1 − ρ² of the ranks, ρ with a sign of its own in each case, so that neither kind nor form matters.
public struct RelativeOrientationTest: ConventionTest {
  public init() {}

  public let id = "relative-orientation"
  public let title = "Relative map against the LiDAR"
  public let leastExcess = 0.02
  public let costUnit = "1 − ρ² of ranks"

  /// Where the map's point lies for a point of the LiDAR map, in shares of width and height.
  static let symmetries: [(id: String, name: String, map: @Sendable (Double, Double) -> (Double, Double))] = [
    ("upright", "upright", { ($0, $1) }),
    ("mirrored-vertically", "mirrored top to bottom", { ($0, 1 - $1) }),
    ("mirrored-horizontally", "mirrored left to right", { (1 - $0, $1) }),
    ("rotated-180", "turned by 180°", { (1 - $0, 1 - $1) }),
    ("transposed", "transposed", { ($1, $0) }),
    ("rotated-90", "turned by 90° clockwise", { (1 - $1, $0) }),
    ("rotated-270", "turned by 90° anticlockwise", { ($1, 1 - $0) }),
    ("anti-transposed", "transposed about the other diagonal", { (1 - $1, 1 - $0) }),
  ]

  public func hypotheses(for scene: SceneHeader) -> [Hypothesis] {
    Self.symmetries.map { symmetry in
      Hypothesis(
        symmetry.id, "the relative map is \(symmetry.name) with respect to the LiDAR map",
        symptom: "depths come from the wrong place: near and far change sides",
        fix: symmetry.id == "upright"
          ? "nothing"
          : "store relative/values with rows from the top and columns from the left of the LiDAR's view")
    }
  }

  public func declared(in scene: SceneHeader) -> String? { "upright" }

  public func objection(to scene: SceneHeader) -> String? {
    scene.relativeSize == nil ? "the scene has no relative map" : nil
  }

  public func costs(_ frames: [DepthFrame], of scene: SceneHeader) -> [[Double]] {
    frames.flatMap { frame -> [[Double]] in
      guard let relative = frame.relative else { return [] }
      let grid = DepthGrid(frame)
      let blocks = Self.symmetries.map { symmetry in
        RankCost.blocks(grid.disparity, grid.samples(of: relative, at: symmetry.map), grid.size)
      }
      guard blocks.allSatisfy({ !$0.isEmpty }) else { return [] }
      return (0..<RankCost.side * RankCost.side).map { block in blocks.map { $0[block] ?? .nan } }
    }
  }
}
