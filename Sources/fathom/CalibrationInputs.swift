import DepthCalibration
import DepthCore
import DepthDataset
import DepthEvaluation
import DepthFusion
import Logging

/// What a calibration reads from its files: the LiDAR's errors, and how the relative maps lie to it.
struct CalibrationInputs {
  /// A scene with at least one frame that can be measured, its errors and its alignment.
  struct Measured {
    /// Position of the file among those of the run.
    let file: Int
    let context: SceneContext
    let errors: SceneErrors
    let alignment: SceneAlignment
  }

  private(set) var measured: [Measured] = []
  /// Names of the others.
  private(set) var leftOut: [String] = []
  /// How the relative maps lie to the LiDAR, in every scene that has both: that takes no truth.
  private(set) var alignments: [SceneAlignment] = []

  /// The LiDAR's errors of the scenes that can be measured.
  var scenes: [SceneErrors] { measured.map(\.errors) }

  /// Reads frame by frame; `jobs` of them are measured at the same time.
  ///
  /// - Throws: `DatasetError` where a frame cannot be read, or no scene can be measured.
  init(
    _ inputs: RunInputs, plan: CalibrationPlan, truth: CalibrationTruth, jobs: Int, console: Console
  ) async throws {
    var without: [SceneErrors] = []
    var refusals: [(scene: String, failure: MultiviewFailure)] = []
    let looked = inputs.files.flatMap(\.scenes).filter { $0.header.lidarSize != nil }
    let progress = ProgressBar(
      "measuring", total: looked.reduce(0) { $0 + $1.header.frameCount }, console: console)
    for (number, file) in inputs.files.enumerated() {
      let reader = try file.reader()
      for context in file.scenes {
        var source: CalibrationSource
        do {
          source = try CalibrationSource(context, truth, from: reader)
        } catch let failure as MultiviewFailure {
          refusals.append((context.name, failure))
          leftOut.append(context.name)
          continue
        }
        let header = source.context.header
        guard header.lidarSize != nil, header.truthSize != nil || header.relativeSize != nil else {
          leftOut.append(context.name)
          continue
        }
        let (errors, alignment) = try await Self.measure(&source, plan, from: reader, jobs: jobs, progress)
        if alignment.hasRelative { alignments.append(alignment) }
        if errors.hasErrors {
          measured.append(
            Measured(file: number, context: source.context, errors: errors, alignment: alignment))
        } else {
          leftOut.append(context.name)
          if header.truthSize != nil { without.append(errors) }
        }
      }
    }
    if measured.isEmpty { throw CalibrationFault(inputs, truth, without, refusals).error }
    announce(refusals, console)
  }

  private func announce(_ refusals: [(scene: String, failure: MultiviewFailure)], _ console: Console) {
    for (scene, failure) in refusals {
      console.log.notice("\(scene) is left out: \(failure); \(failure.advice)")
    }
    let others = leftOut.filter { name in !refusals.contains { $0.scene == name } }
    if !others.isEmpty {
      console.log.notice("left out, without a LiDAR pixel that has truth: \(others.joined(separator: ", "))")
    }
  }

  private static func measure(
    _ source: inout CalibrationSource, _ plan: CalibrationPlan, from reader: borrowing DatasetReader,
    jobs: Int,
    _ progress: ProgressBar
  ) async throws -> (SceneErrors, SceneAlignment) {
    var (errors, alignment) = (SceneErrors(source.context, plan: plan), SceneAlignment(source.context))
    let count = source.context.header.frameCount
    var next = 0
    while next < count {
      var frames: [CalibrationSource.Frame] = []
      while frames.count < jobs, next < count {
        frames.append(try source.frame(next, from: reader))
        next += 1
      }
      let (scene, maps) = (errors, alignment)
      let found = await withTaskGroup(of: (Int, FrameErrors?, FrameAlignment).self) { group in
        for (position, frame) in frames.enumerated() {
          group.addTask {
            let frame = frame.prepared()
            return (position, scene.errors(of: frame), maps.alignment(of: frame))
          }
        }
        var found: [(Int, FrameErrors?, FrameAlignment)] = []
        for await result in group { found.append(result) }
        return found.sorted { $0.0 < $1.0 }
      }
      for (_, frame, map) in found {
        if let frame { errors.add(frame) }
        alignment.add(map)
      }
      for _ in frames { progress.advance() }
    }
    return (errors, alignment)
  }
}
