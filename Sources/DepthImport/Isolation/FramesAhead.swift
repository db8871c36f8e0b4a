internal import DepthDataset
internal import FathomStorage

/// Answers about frames. Where they are asked for one after the other, a few are decoded at the same time, and the later ones kept until they are asked for.
struct FramesAhead {
  struct Wanted: Hashable, Sendable {
    /// The recording, its scene, the frame's position, and bits of what is wanted of it.
    var recording: Int, scene: Int, frame: Int, arrays: Int

    /// Whether another one lies so close before or behind this in its scene that more are likely to be asked for: who asks on several
    /// threads does so not quite in order.
    func continues(_ other: Wanted) -> Bool {
      var moved = other
      moved.frame = frame
      return moved == self && abs(frame - other.frame) <= FramesAhead.disorder
    }
  }

  typealias Outcome = Result<[UInt8], any Error>
  private static let disorder = 8
  /// Longer answers are not kept: the process has little memory.
  private static let mostBytes = 64 << 20
  /// Frames that are decoded in one go.
  private static let most = PlainThreads.cores > 1 ? min(2 * PlainThreads.cores, disorder) : 1
  private var last: Wanted?
  /// The last frame that was decoded where frames are asked for in order.
  private var furthest = 0
  private var kept: [Wanted: Outcome] = [:]
  private var longest = 0

  /// The answer about one frame.
  /// - Parameter count: Frames of its scene.
  /// - Parameter decode: Makes the answer about any of them.
  /// - Throws: What `decode` gives.
  mutating func answer(
    _ wanted: Wanted, of count: Int, _ decode: @escaping @Sendable (Wanted) -> Outcome
  ) throws -> [UInt8] {
    // A frame that was overtaken, or one anywhere else, is decoded alone.
    let isNear = last.map(wanted.continues) ?? false
    let isNext = isNear && wanted.frame > furthest
    last = wanted
    kept = kept.filter { wanted.continues($0.key) }
    if kept[wanted] == nil {
      let mayRun = isNext && longest <= Self.mostBytes / Self.most
      let end = mayRun ? min(wanted.frame + Self.most, count) : wanted.frame + 1
      let next = (wanted.frame..<max(end, wanted.frame + 1)).map {
        Wanted(recording: wanted.recording, scene: wanted.scene, frame: $0, arrays: wanted.arrays)
      }
      furthest = isNear ? max(furthest, end - 1) : wanted.frame
      let outcomes = PlainThreads.map(next.count) { decode(next[$0]) }
      for (wanted, outcome) in zip(next, outcomes) { kept[wanted] = outcome }
    }
    let bytes = try (kept.removeValue(forKey: wanted) ?? decode(wanted)).get()
    longest = max(longest, bytes.count)
    return bytes
  }
}
