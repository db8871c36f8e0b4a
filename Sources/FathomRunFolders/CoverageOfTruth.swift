import DepthEvaluation
import DepthFusion
package import DepthVerdicts

/// Share of the truth that each method covers, a refused frame counting as none of it.
package struct CoverageOfTruth {
  private let means: [String: Double]

  package init(_ run: EvaluationRun) {
    let mode = run.plan.rules.aggregation
    var (scene, all) = (nil as String?, [String: Mean]())
    var own: [String: Mean] = [:]  // Of the scene that is under way.
    func endScene() {
      for (method, mean) in own { all[method, default: Mean()].add(mean.value, 1) }
      own = [:]
    }
    for frame in run.frames {
      // The same for all that predicted anything; without truth no method is to blame.
      guard
        let count = frame.last(where: { $0.errors != nil })?.errors?.truthCount
          ?? (run.basis.hasLidar ? nil : Self.withoutDepth(frame))
      else { continue }
      if mode == .scene, frame[0].scene != scene { endScene() }
      scene = frame[0].scene
      for row in frame {
        let share = row.value(.coverage) ?? 0
        if mode == .scene {
          own[row.method, default: Mean()].add(share, 1)
        } else {
          all[row.method, default: Mean()].add(share, mode == .pooled ? Double(count) : 1)
        }
      }
    }
    endScene()
    means = all.mapValues(\.value)
  }

  /// nil where the method ran in no frame with truth.
  package func value(_ method: String) -> Double? { means[method] }

  /// Truth pixels of a frame in which no map has depth; nil where it has no truth.
  private static func withoutDepth(_ frame: some Sequence<FrameRecord>) -> Int? {
    frame.first { $0.fusion.status == .degenerate }.map { $0.truthCount ?? 0 }
  }

  private struct Mean {
    private var (sum, weight) = (0.0, 0.0)
    var value: Double { weight > 0 ? sum / weight : 0 }

    mutating func add(_ share: Double, _ weight: Double) {
      sum += share * weight
      self.weight += weight
    }
  }
}
