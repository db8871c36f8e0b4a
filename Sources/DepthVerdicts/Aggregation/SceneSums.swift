import DepthEvaluation
import FathomStatistics

/// What frames contribute to a mean, added up scene by scene: the frames need not be kept.
struct SceneSums {
  private(set) var scenes: [String] = []  // Names of the scenes that contribute.
  private var totals: [WeightedSum] = []  // One per scene.
  private(set) var frames = 0  // Frames behind them.

  /// - Parameter scene: Its frames come one after the other.
  mutating func add(_ part: WeightedSum, of scene: String) {
    if scenes.last != scene {
      scenes.append(scene)
      totals.append(WeightedSum())
    }
    totals[totals.count - 1] += part
    frames += 1
  }

  /// One side; where every scene counts once, the means of the scenes.
  func values(_ mode: AggregationMode, isRoot: Bool = false, possible: ClosedRange<Double>) -> SceneValues {
    SceneValues(
      scenes: scenes, frames: frames, sides: [totals.map { mode == .scene ? .one($0.sum / $0.weight) : $0 }],
      isRoot: isRoot, possible: possible)
  }
}
