import DepthDataset
import DepthCore
import FathomStorage

/// Reads the frames of a scene, several at once where the source reads or makes them at the same time: one process that reads would
/// keep few cores busy.
struct FrameBatches {
  private let scene: SceneHeader, arrays: FrameArrays
  private let end: Int  // No frame is read from here on.
  private let batch: Int, jobs: Int
  private var ready: [Int: DepthFrame] = [:]
  private var last: Int?  // The frame that was asked for before.

  /// - Parameter jobs: Frames that are worked on at once.
  init(
    of scene: SceneHeader, before end: Int, including arrays: FrameArrays,
    from source: borrowing some FrameSource & ~Copyable, jobs: Int
  ) {
    (self.scene, self.arrays, self.end, self.jobs) = (scene, arrays, end, jobs)
    batch = source.batch(jobs: jobs)
  }

  /// - Throws: `FathomError` where it, or one of the next, cannot be read.
  mutating func frame(
    _ index: Int, from source: borrowing some FrameSource & ~Copyable
  ) throws(FathomError) -> DepthFrame {
    defer { last = index }
    if let frame = ready.removeValue(forKey: index) { return frame }
    // Frames that are looked at here and there are not followed by the next.
    guard batch > 1, last == index - 1 else { return try source.frame(index, of: scene, including: arrays) }
    let wanted = index..<max(index + 1, min(index + batch, end))
    let frames = try source.frames(
      wanted.map { FrameRequest($0, arrays) }, of: scene, threads: min(jobs, batch))
    ready = Dictionary(uniqueKeysWithValues: zip(wanted, frames))
    return ready.removeValue(forKey: index) ?? frames[0]
  }
}
