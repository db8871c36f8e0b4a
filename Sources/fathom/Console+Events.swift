import FathomStorage
import DepthFusion
import DepthDataset
import DepthCalibration
import DepthEvaluation
import Logging
import FathomPlainText
import FathomRuns

extension Console {
  /// Takes in what a job says: progress as a bar, the rest as lines.
  var observe: JobObserver {
    var bar: ProgressBar?
    return { event in
      switch event {
      case .began(let stage, let steps): bar = ProgressBar(Self.title(stage), total: steps, console: self)
      case .advanced: bar?.advance()
      case .finished: break
      case .noticed(let notice): log.log(level: Self.level(notice), "\(Self.words(notice))")
      }
    }
  }

  /// The same with a line of JSON for each scene in place of the bar.
  var observeAsJSON: JobObserver {
    let others = observe
    var last = ContinuousClock.now
    return { event in
      switch event {
      case .began: last = .now
      case .advanced: break
      case .noticed: others(event)
      case .finished(let scene, let frames):
        let seconds = last.duration(to: .now) / .seconds(1)
        last = .now
        let line = SceneLine(scene: scene, frames: frames, seconds: (seconds * 1000).rounded() / 1000)
        Self.write(((try? CanonicalJSON.text(line, isPretty: false)) ?? "{}").visibleJSON + "\n")
      }
    }
  }

  private static func title(_ stage: JobStage) -> String {
    switch stage {
    case .fusingHeldOut: "fusing"
    case .writingGeometry: "rendering"
    default: "\(stage)"
    }
  }

  private static func level(_ notice: JobNotice) -> Logger.Level {
    switch notice {
    // Of a file in a data set, or of a folder of maps as a whole.
    case .schema(let path, let issue):
      issue.severity == .warning ? .warning : path == issue.object ? .notice : .info
    case .omitted, .partKept: .info
    case .withoutReference, .withoutTruth, .withoutPoses: .notice
    case .dropped, .withoutGallery, .unreadable, .sameData, .framesWithoutResult, .leftOutOfSearch,
      .withoutConfidence, .noNoiseModel, .notReplayed:
      .warning
    }
  }

  private static func words(_ notice: JobNotice) -> String {
    switch notice {
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

/// A finished scene, for programs.
private struct SceneLine: Encodable { let scene: String, frames: Int, seconds: Double }
