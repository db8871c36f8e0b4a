import DepthCalibration
import DepthDataset
import DepthEvaluation
import DepthFusion
import FathomPlainText
package import FathomRuns
import FathomStorage

extension JobNotice {
  /// As a line of the console.
  package var onCommandLine: String {
    switch self {
    case .schema(let path, let issue):
      (path == issue.object ? "" : path + ": ")
        + "\(issue.object): \(issue.problem); \(issue.advice.onCommandLine)"
    case .unreadable(let error): error.onCommandLine
    case .dropped(let parts): parts.words
    case .sameData:
      "two data sets hold the same bytes: their scenes count twice, and intervals are too narrow"
    case .framesWithoutResult(let count, let row):
      "\(count == 1 ? "1 frame has" : "\(count) frames have") rows without a result, for example \(row.scene == row.frame ? row.scene : row.scene + "/" + row.frame), \(row.method): "
        + (row.fusion.reason ?? row.fusion.status.rawValue)
    case .leftOutOfSearch(let scene, let lack): "scene \(scene) is skipped: it lacks \(lack.rawValue)"
    case .withoutConfidence(let scenes):
      "without a confidence map every return counts as confidence 2, whatever the lowest confidence: "
        + scenes.joined(separator: ", ")
    case .withoutReference(let scene, let failure):
      "\(scene) is skipped: \(failure); \(failure.advice.onCommandLine)"
    case .withoutTruth(let scenes):
      "skipped, because no LiDAR pixel has ground truth: \(scenes.joined(separator: ", "))"
    case .withoutPoses(let scene):
      "\(scene) has no poses: latency and drops only, without staleness and placement"
    case .notReplayed(let scene, let reason): "\(scene) is skipped: \(reason)"
    case .omitted(let reason): reason
    case .withoutGallery(let error): "the run has no pictures: \(error.onCommandLine)"
    case .partKept(let folder): "a part is finished in \(folder)"
    case .noNoiseModel: "no level has a noise model, so there is no calibration.yaml; noise.csv says why"
    }
  }
}
