import FathomJobReports
import FathomStorage
import DepthDataset
import Logging
import FathomPlainText
package import FathomRuns

extension Console {
  /// Takes in what a job says: progress as a bar, the rest as lines.
  package var observe: JobObserver {
    var bar: ProgressBar?
    return { event in
      switch event {
      case .began(let stage, let steps): bar = ProgressBar(Self.title(stage), total: steps, console: self)
      case .advanced: bar?.advance()
      case .finished: break
      case .noticed(let notice): log.log(level: Self.level(notice), "\(notice.onCommandLine)")
      }
    }
  }

  /// The same with a line of JSON for each scene in place of the bar.
  package var observeAsJSON: JobObserver {
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
}

/// A finished scene, for programs.
private struct SceneLine: Encodable { let scene: String, frames: Int, seconds: Double }
