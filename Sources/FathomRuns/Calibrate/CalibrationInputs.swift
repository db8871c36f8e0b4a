import FathomStorage
import DepthCalibration
import DepthCore
import DepthDataset
import DepthEvaluation

/// What a calibration reads from its files: the LiDAR's errors, and how the relative maps lie to it.
struct CalibrationInputs {
  /// A scene with at least one frame that can be measured, its errors and its alignment.
  struct Measured {
    let file: RunInputs.File
    let range: Range<Int>  // Frames that were asked for.
    let original: SceneContext  // As the file has it.
    let context: SceneContext  // With the truth that the LiDAR was compared with.
    let errors: SceneErrors, alignment: SceneAlignment
  }

  private(set) var measured: [Measured] = []
  private(set) var leftOut: [String] = []  // Names of the others.
  /// How the relative maps lie to the LiDAR, in every scene that has both: that takes no truth.
  private(set) var alignments: [SceneAlignment] = []
  /// The LiDAR's errors of the scenes that can be measured.
  var scenes: [SceneErrors] { measured.map(\.errors) }

  /// - Parameter needsErrors: Whether at least one scene must have some; a part may have none.
  /// - Parameter known: What is known of a scene already, from the data set that it lies in; nil where it is still to be measured.
  /// - Parameter keep: Called with what was measured in a scene, by its name.
  /// - Throws: `FathomError` where a frame cannot be read, or no scene can be measured.
  init(
    _ inputs: RunInputs, plan: CalibrationPlan, truth: TruthOrigin, jobs: Int,
    needsErrors: Bool, _ observe: JobObserver,
    known: (SceneContext, RunInputs.File) async throws -> (SceneErrors, SceneAlignment)?,
    measured keep: (SceneErrors, SceneAlignment, String) throws -> Void
  ) async throws {
    var without: [SceneErrors] = []
    var refusals: [(scene: String, failure: MultiviewFailure)] = []
    let looked = inputs.files.flatMap(\.scenes).filter { $0.header.lidarSize != nil }
    observe(.began(.measuring, steps: looked.reduce(0) { $0 + inputs.selection.range(of: $1.header).count }))
    for file in inputs.files {
      for context in file.scenes {
        var frames: CalibrationSource
        do {
          frames = try CalibrationSource(context, truth, from: file.source)
        } catch let failure as MultiviewFailure {
          refusals.append((context.name, failure))
          leftOut.append(context.name)
          continue
        }
        let header = frames.context.header
        guard header.lidarSize != nil, header.truthSize != nil || header.relativeSize != nil else {
          leftOut.append(context.name)
          continue
        }
        let range = inputs.selection.range(of: header)
        let errors: SceneErrors
        let alignment: SceneAlignment
        if let found = try await known(frames.context, file) {
          (errors, alignment) = found
          for _ in range { observe(.advanced) }
        } else {
          (errors, alignment) = try await Self.measure(
            &frames, range, plan, from: file.source, jobs: jobs, observe)
          try keep(errors, alignment, context.name)
        }
        if alignment.hasRelative { alignments.append(alignment) }
        if errors.hasErrors {
          measured.append(
            Measured(
              file: file, range: range, original: context, context: frames.context, errors: errors,
              alignment: alignment))
        } else {
          leftOut.append(context.name)
          if header.truthSize != nil { without.append(errors) }
        }
      }
    }
    if measured.isEmpty, needsErrors { throw CalibrationFault(inputs, truth, without, refusals).error }
    for (scene, failure) in refusals { observe(.noticed(.withoutReference(scene: scene, failure))) }
    let others = leftOut.filter { name in !refusals.contains { $0.scene == name } }
    if !others.isEmpty { observe(.noticed(.withoutTruth(scenes: others))) }
  }

  private static func measure(
    _ frames: inout CalibrationSource, _ range: Range<Int>, _ plan: CalibrationPlan,
    from source: borrowing some FrameSource & ~Copyable, jobs: Int, _ observe: JobObserver
  ) async throws(FathomError) -> (SceneErrors, SceneAlignment) {
    var (errors, alignment) = (SceneErrors(frames.context, plan: plan), SceneAlignment(frames.context))
    let (scene, maps) = (errors, alignment)
    try await FrameStream(range, jobs: jobs).run { (index) throws(FathomError) in
      try frames.frame(index, from: source)
    } work: { frame in
      let frame = frame.prepared()
      return (errors: scene.errors(of: frame), alignment: maps.alignment(of: frame))
    } take: { _, found in
      if let frame = found.errors { errors.add(frame) }
      alignment.add(found.alignment)
      observe(.advanced)
    }
    return (errors, alignment)
  }
}
