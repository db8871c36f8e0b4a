import DepthCalibration
import DepthDataset
import DepthEvaluation
import DepthFusion
import Logging

/// The LiDAR's errors in every scene of a calibration's files.
struct CalibrationInputs {
  /// Scenes with at least one frame that can be measured.
  private(set) var scenes: [SceneErrors] = []
  /// Names of the others.
  private(set) var leftOut: [String] = []

  /// Reads frame by frame; `jobs` of them are measured at the same time.
  ///
  /// - Throws: `DatasetError` where a frame cannot be read, or no scene can be measured.
  init(_ inputs: RunInputs, plan: CalibrationPlan, jobs: Int, console: Console) async throws {
    var without: [SceneErrors] = []
    let usable = inputs.files.flatMap(\.scenes).filter(Self.isUsable)
    let progress = ProgressBar(
      "measuring", total: usable.reduce(0) { $0 + $1.header.frameCount }, console: console)
    for file in inputs.files {
      let reader = try DatasetReader(readingFrom: file.path)
      for context in file.scenes {
        guard Self.isUsable(context) else {
          leftOut.append(context.name)
          continue
        }
        let scene = try await Self.measure(context, plan, from: reader, jobs: jobs, progress)
        if scene.hasErrors {
          scenes.append(scene)
        } else {
          leftOut.append(context.name)
          without.append(scene)
        }
      }
    }
    if scenes.isEmpty { throw Self.nothingToMeasure(inputs, without) }
    if !leftOut.isEmpty {
      console.log.notice("left out, without LiDAR or truth: \(leftOut.joined(separator: ", "))")
    }
  }

  private static func isUsable(_ scene: SceneContext) -> Bool {
    scene.header.lidarSize != nil && scene.header.truthSize != nil
  }

  private static func measure(
    _ context: SceneContext, _ plan: CalibrationPlan, from reader: borrowing DatasetReader, jobs: Int,
    _ progress: ProgressBar
  ) async throws -> SceneErrors {
    var scene = SceneErrors(context, plan: plan)
    var arrays: FrameArrays = [.lidar, .truth]
    if context.header.hasConfidence { arrays.insert(.confidence) }
    var next = 0
    while next < context.header.frameCount {
      var frames: [DepthFrame] = []
      while frames.count < jobs, next < context.header.frameCount {
        frames.append(try reader.frame(next, of: context.header, including: arrays))
        next += 1
      }
      let measuring = scene
      let errors = await withTaskGroup(of: FrameErrors?.self) { group in
        for frame in frames { group.addTask { measuring.errors(of: frame) } }
        var found: [FrameErrors] = []
        for await result in group { if let result { found.append(result) } }
        return found.sorted { $0.index < $1.index }
      }
      for frame in errors { scene.add(frame) }
      for _ in frames { progress.advance() }
    }
    return scene
  }

  /// - Parameter scenes: Those that have LiDAR and truth, and yet no pixel with both.
  private static func nothingToMeasure(_ inputs: RunInputs, _ scenes: [SceneErrors]) -> DatasetError {
    let headers = inputs.files.flatMap { $0.scenes.map(\.header) }
    let file = inputs.files.map(\.path).joined(separator: ", ")
    func error(_ reason: String, _ advice: String) -> DatasetError {
      DatasetError(
        .badData, attempted: "calibrate the LiDAR", file: file, object: "scenes", reason: reason,
        advice: advice)
    }
    if headers.allSatisfy({ $0.lidarSize == nil }) {
      return error("no scene has lidar/depth", "choose a data set with LiDAR depth")
    }
    if headers.allSatisfy({ $0.truthSize == nil || $0.lidarSize == nil }) {
      return error(
        "no scene with LiDAR has truth/depth",
        headers.contains(where: \.hasPoses)
          ? "try --truth multiview, which builds a reference from neighbouring frames"
          : "add truth, or poses for --truth multiview")
    }
    let pixels = scenes.reduce(into: (unknown: 0, steps: 0, outOfRange: 0)) { total, scene in
      total.unknown += scene.pixelsWithoutTruth.unknown
      total.steps += scene.pixelsWithoutTruth.steps
      total.outOfRange += scene.pixelsWithoutTruth.outOfRange
    }
    return error(
      "no LiDAR pixel has truth at its centre (unknown at \(pixels.unknown), on a depth step at \(pixels.steps), out of range at "
        + "\(pixels.outOfRange))",
      "truth that leaves the LiDAR's own pixels out cannot calibrate it; else check --min-truth and --max-truth, or 'fathom diagnose' for the unit of the truth"
    )
  }
}
