public import DepthFusion
import Foundation

/// Whether depths are metres once `units` and `scale` were applied.
///
/// Cost: |log₁₀(median depth / 2 m)|. Factors of a hundred are told from one, and not always from a thousand; a
/// room is no ten times larger than another.
public struct DepthUnitTest: ConventionTest {
  public init() {}

  public let id = "depth-unit"
  public let title = "Unit of the LiDAR depth"
  public let leastExcess = 1.0
  public let costUnit = "|log₁₀(median depth / 2 m)|"

  private static let factors: [(id: String, factor: Double, statement: String, fix: String)] = [
    ("metres", 1, "depths are metres as declared", "nothing"),
    (
      "thousand-times-too-large", 1e-3, "the numbers are millimetres",
      "set units of lidar/depth to 'mm', or scale to 0.001"
    ),
    (
      "hundred-times-too-large", 1e-2, "the numbers are centimetres",
      "set units of lidar/depth to 'cm', or scale to 0.01"
    ),
    (
      "hundred-times-too-small", 1e2, "the numbers are metres already",
      "set units of lidar/depth to 'm', and scale to 1"
    ),
    (
      "thousand-times-too-small", 1e3, "the numbers are metres already",
      "set units of lidar/depth to 'm', and scale to 1"
    ),
  ]

  public func hypotheses(for scene: SceneHeader) -> [Hypothesis] {
    Self.factors.map {
      Hypothesis($0.id, $0.statement, symptom: "objects are far too large or small", fix: $0.fix)
    }
  }

  public func declared(in scene: SceneHeader) -> String? { "metres" }

  public func objection(to scene: SceneHeader) -> String? {
    scene.lidarSize == nil ? "the scene has no LiDAR depth" : nil
  }

  public func costs(_ frames: [DepthFrame], of scene: SceneHeader) -> [[Double]] {
    frames.flatMap { frame -> [[Double]] in
      let grid = DepthGrid(frame)
      let depths = grid.disparity.filter(\.isFinite).map { 1 / $0 }
      // Halves of the image, so that a single frame has two votes.
      return [depths.prefix(depths.count / 2), depths.suffix(depths.count / 2)].compactMap { half in
        guard let median = OrderStatistics.median(of: Array(half)) else { return nil }
        return Self.factors.map { abs(Foundation.log10(median * $0.factor / 2)) }
      }
    }
  }
}
