internal import DepthCore
import DepthDataset
public import FathomStorage

/// Writes simulated scenes to a data set file.
public enum SyntheticDataset {
  /// Makes every scene of `options` and writes them in order.
  ///
  /// Up to `jobs` frames are made at the same time while one is written, so memory does not grow with their
  /// number. The file is the same for any number of jobs.
  /// - Parameter path: The file to create.
  /// - Parameter overwrite: Whether an existing file may be replaced.
  /// - Parameter jobs: Frames made at the same time, at least 1.
  /// - Parameter createdBy: What the file names as its maker: a command names its build, as every file that it writes does.
  /// - Parameter progress: Called after every frame with the number written and their total.
  /// - Throws: What `DatasetWriter` throws; `.inputOutput` if the task is cancelled. No file is left then.
  public static func write(
    _ options: SynthesisOptions, to path: String, overwrite: Bool = false, jobs: Int = 1,
    createdBy: String = "fathom",
    progress: @Sendable (_ written: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws(FathomError) {
    var attributes = attributes(options)
    attributes.createdBy = createdBy
    var writer = try DatasetWriter(creating: path, attributes: attributes, overwrite: overwrite)
    let total = options.sceneCount * options.framesPerScene
    for index in 0..<options.sceneCount {
      let scene = SyntheticScene(options: options, index: index)
      try writer.addScene(scene.header)
      try await writeFrames(of: scene, to: &writer, jobs: max(1, jobs)) { written in
        progress(index * options.framesPerScene + written, total)
      }
      try writer.writeObjects(scene.objects(), to: scene.header.name)
    }
    try writer.commit()
  }

  private static func attributes(_ options: SynthesisOptions) -> DatasetAttributes {
    var attributes = DatasetAttributes()
    attributes.name = options.name
    attributes.description = "simulated rooms with exact depth by ray casting; see Datasets/README.md"
    attributes.source = "fathom synthesize, seed \(options.seed)"
    return attributes
  }

  private static func writeFrames(
    of scene: SyntheticScene, to writer: inout DatasetWriter, jobs: Int, written: (Int) -> Void
  ) async throws(FathomError) {
    let count = scene.header.frameCount
    let result = await withTaskGroup(of: CompressedFrame.self, returning: Result<Void, FathomError>.self) {
      group in
      var (started, running, ready) = (0, 0, [Int: CompressedFrame]())
      for expected in 0..<count {
        while ready[expected] == nil {
          while running < jobs, started < min(count, expected + jobs + 1) {
            let index = started
            group.addTask { CompressedFrame(scene.frame(index)) }
            (started, running) = (started + 1, running + 1)
          }
          guard let frame = await group.next() else { break }
          ready[frame.frame.index] = frame
          running -= 1
        }
        guard !Task.isCancelled, let frame = ready.removeValue(forKey: expected)
        else { return .failure(cancelled(writer.path)) }
        do throws(FathomError) { try writer.write(frame, to: scene.header.name) } catch {
          group.cancelAll()
          return .failure(error)
        }
        written(expected + 1)
      }
      return .success(())
    }
    try result.get()
  }

  private static func cancelled(_ path: String) -> FathomError {
    FathomError(
      .inputOutput, attempted: "write the data set", file: path, reason: "it was cancelled",
      advice: "run the command again")
  }
}
