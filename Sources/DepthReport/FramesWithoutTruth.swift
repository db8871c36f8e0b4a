import FathomRunFolders
import DepthEvaluation
import DepthFusion
import DepthVerdicts

/// Frames that no method can be scored in: no method failed there.
struct FramesWithoutTruth {
  private let counts: [String: Int]

  init(_ run: EvaluationRun) {
    // A method may say first that it lacks a relative map; another one then says that the truth is missing.
    var counts: [String: Int] = [:]
    for frame in run.frames where frame.contains(where: { $0.fusion.status == .noTruth }) {
      for row in frame { counts[row.method, default: 0] += 1 }
    }
    self.counts = counts
  }

  /// How many of a method's frames are among them.
  func count(_ method: String) -> Int { counts[method] ?? 0 }
  var most: Int { counts.values.max() ?? 0 }  // How many there are.
}
