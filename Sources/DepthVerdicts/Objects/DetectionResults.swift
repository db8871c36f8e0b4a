import DepthEvaluation
public import DepthObjects
public import FathomStatistics

/// Detections against true boxes in the image, over the scenes that have true boxes.
public struct DetectionResults: Sendable {
  /// A class, or all of them.
  public struct Row: Sendable {
    /// nil for all classes together.
    public var label: String?
    public var counts: DetectionCounts, scenes: Int
    /// Of precision and recall: counts are added up over scenes, scenes are resampled; nil for fewer than four scenes.
    public var precisionInterval: ConfidenceInterval?
    public var recallInterval: ConfidenceInterval?
  }

  /// By class name in the order of its bytes, then all together.
  public let rows: [Row]
  /// All classes together.
  public var overall: Row? { rows.last }

  /// nil where no scene has a true box.
  init?(_ tally: DetectionTally, _ bootstrap: inout SceneBootstrap) {
    let scenes = tally.scenes.filter { $0.classes.values.contains { $0.matched + $0.missed > 0 } }
    guard !scenes.isEmpty else { return nil }
    let labels = Set(scenes.flatMap(\.classes.keys))
    let ordered = labels.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    rows = (ordered.map { $0 } + [nil]).map { label in
      let counts = scenes.map { scene in
        (
          scene.name,
          scene.classes.filter { label == nil || $0.key == label }.values
            .reduce(into: DetectionCounts()) { $0 += $1 }
        )
      }
      let present = counts.filter { $0.1 != DetectionCounts() }
      return Row(
        label: label, counts: present.reduce(into: DetectionCounts()) { $0 += $1.1 }, scenes: present.count,
        precisionInterval: Self.interval(present, { $0.matched + $0.spurious }, &bootstrap),
        recallInterval: Self.interval(present, { $0.matched + $0.missed }, &bootstrap))
    }
  }

  /// Of Σ matched / Σ whole.
  private static func interval(
    _ scenes: [(String, DetectionCounts)], _ whole: (DetectionCounts) -> Int,
    _ bootstrap: inout SceneBootstrap
  ) -> ConfidenceInterval? {
    let present = scenes.filter { whole($0.1) > 0 }
    return bootstrap.interval(
      of: SceneValues(
        scenes: present.map(\.0), frames: present.count,
        sides: [present.map { WeightedSum(sum: Double($0.1.matched), weight: Double(whole($0.1))) }],
        isRoot: false, possible: 0...1))
  }
}
