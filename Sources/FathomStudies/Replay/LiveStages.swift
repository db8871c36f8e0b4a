import FathomRuns
import DepthCore
import DepthDataset
import DepthFusion
import DepthObjects
import Foundation
import FathomReplay
import FathomStorage

/// The stages of a live analysis that Fathom has: reading a frame, fusing it, decoding detections, boxing objects.
enum LiveStages {
  private static let timedFrames = 20  // Frames of each scene that are timed.

  /// Runs the stages on frames of every scene, spread evenly, and times them.
  static func measured(
    _ scenes: [SceneReplaySource], _ observe: JobObserver
  ) throws(FathomError) -> [StageChoice] {
    var (times, names): ([String: [Int]], [String]) = ([:], [])
    observe(.began(.measuring, steps: scenes.count))
    for scene in scenes {
      let stages = try SceneStages(scene)
      let count = scene.path.times.count
      let shown = min(count, timedFrames)
      for number in 0..<shown {
        for (name, time) in try stages.run(number * count / shown) {
          if times[name] == nil { names.append(name) }
          times[name, default: []].append(time)
        }
      }
      observe(.advanced)
    }
    return names.map { StageChoice($0, [.measured(times[$0] ?? [])]) }
  }

  /// Runs the stages for each frame when its turn comes on the wall clock, then waits for the given ones.
  static func wall(
    _ given: [LiveStage], _ scenes: [SceneReplaySource], seed: UInt64
  ) throws(FathomError) -> ReplayJob.ServiceTime {
    var stages: [SceneStages] = []
    for scene in scenes { stages.append(try SceneStages(scene)) }
    var (current, began) = (-1, ContinuousClock.now)
    return .done { (scene, recorded, frame, start) throws(FathomError) in
      if scene != current { (current, began) = (scene, .now) }
      let due = began + .nanoseconds(start)
      Thread.sleep(forTimeInterval: max(0, ContinuousClock.now.duration(to: due) / .seconds(1)))
      _ = try stages[scene].run(recorded)
      Thread.sleep(forTimeInterval: Double(given.duration(frame: frame, seed: seed)) / 1e9)
      return Int((due.duration(to: .now) / .nanoseconds(1)).rounded())
    }
  }
}

private struct SceneStages {
  let scene: SceneReplaySource
  /// nil where the scene has nothing to fuse.
  private let fusion: FusedDepth?

  init(_ scene: SceneReplaySource) throws(FathomError) {
    self.scene = scene
    let isFusable = scene.header.relativeSize != nil && scene.header.lidarSize != nil
    fusion = isFusable ? try FusedDepth(.ols, of: scene.header, from: scene.reader, seed: 0) : nil
  }

  /// Analyses a recorded frame.
  /// - Returns: What each stage took, nanoseconds, in their order.
  func run(_ recorded: Int) throws(FathomError) -> [(name: String, time: Int)] {
    var times: [(name: String, time: Int)] = []
    var last = ContinuousClock.now
    func end(_ name: String) {
      let now = ContinuousClock.now
      times.append((name, Int((last.duration(to: now) / .nanoseconds(1)).rounded())))
      last = now
    }
    let (index, header) = (scene.index(recorded), scene.header)
    let frame = try scene.reader.frame(index, of: header, including: .fusion)
    end("read")
    if let fusion {
      // A frame that cannot be fused still takes its time.
      _ = try? fusion.prediction(of: frame, after: [], file: scene.reader.path)
      end("fuse")
    }
    guard scene.kind == .objects, let camera = scene.path.cameras[recorded] else { return times }
    let (objects, conventions) = try scene.detections(recorded, camera)
    end("decode")
    for (_, object) in objects {
      let points = try? ObjectPoints(of: object, in: frame, camera: camera, conventions: conventions)
      if let points { _ = try? BoxMethod.auto.box(of: points) }
    }
    end("box")
    return times
  }
}
