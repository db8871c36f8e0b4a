public import DepthFusion

/// Whether the relative map is disparity or depth: the sign of its rank correlation with 1/LiDAR (domain §2).
///
/// Cost: (1 ∓ ρ)/2 frame by frame. Which form fits best is another question and no contradiction.
public struct RelativeKindTest: ConventionTest {
  public init() {}

  public let id = "relative-kind"
  public let title = "Disparity or depth"
  public let leastExcess = RelativeKindEstimator.undecidedBelow
  public let costUnit = "(1 ∓ ρ)/2 of ranks"

  public func hypotheses(for scene: SceneHeader) -> [Hypothesis] {
    [RelativeKind.disparity, .depth].map { kind in
      Hypothesis(
        kind.rawValue, "larger relative values are \(kind == .disparity ? "nearer" : "farther")",
        symptom:
          "a fit in the other sense has a negative slope and is rejected, or turns the scene inside out",
        fix: "set the attribute kind of relative/values to '\(kind.rawValue)'")
    }
  }

  public func declared(in scene: SceneHeader) -> String? {
    scene.relativeKind == .unknown ? nil : scene.relativeKind.rawValue
  }

  public func objection(to scene: SceneHeader) -> String? {
    scene.relativeSize == nil ? "the scene has no relative map" : nil
  }

  public func costs(_ frames: [DepthFrame], of scene: SceneHeader) -> [[Double]] {
    frames.flatMap { frame -> [[Double]] in
      guard let relative = frame.relative else { return [] }
      let grid = DepthGrid(frame)
      let values = grid.samples(of: relative) { ($0, $1) }
      // Quarters of the image, so that a single frame has more than one vote.
      return (0..<4).compactMap { quarter in
        var (a, b) = ([Double](), [Double]())
        for index in values.indices where values[index].isFinite && grid.disparity[index].isFinite {
          let (row, column) = (index / grid.size.width, index % grid.size.width)
          guard 2 * row / grid.size.height == quarter / 2, 2 * column / grid.size.width == quarter % 2 else {
            continue
          }
          a.append(values[index])
          b.append(grid.disparity[index])
        }
        guard a.count >= 30, let rho = RankCorrelation.spearman(a, b) else { return nil }
        return [(1 - rho) / 2, (1 + rho) / 2]
      }
    }
  }
}
