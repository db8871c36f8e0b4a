public import DepthCore

/// The frames around one frame, read once each while it moves through a scene; memory does not grow with its length.
public struct MultiviewWindow: Sendable {
  private let frameCount: Int, options: MultiviewReference.Options
  private var known: [Int: DepthFrame] = [:]

  public init(frameCount: Int, options: MultiviewReference.Options = MultiviewReference.Options()) {
    (self.frameCount, self.options) = (frameCount, options)
  }

  /// Positions of the frames that a frame's reference is made from: evenly spread over those within reach, ascending.
  public func members(around index: Int) -> [Int] {
    let around = (max(0, index - options.reach)..<min(frameCount, index + options.reach + 1))
      .filter { $0 != index }
    guard around.count > options.mostViews else { return around }
    return (0..<options.mostViews).map { around[(2 * $0 + 1) * around.count / (2 * options.mostViews)] }
  }

  /// The frames around one, with the LiDAR's returns that count and the camera only.
  /// - Parameter index: Not below those asked for before.
  /// - Parameter read: Reads a frame; called once for each while `index` ascends.
  /// - Throws: What `read` throws.
  public mutating func frames<Failure: Error>(
    around index: Int, read: (Int) throws(Failure) -> DepthFrame
  ) throws(Failure) -> [DepthFrame] {
    for position in known.keys.sorted() where position < index - options.reach { known[position] = nil }
    var frames: [DepthFrame] = []
    for position in members(around: index) {
      if let frame = known[position] {
        frames.append(frame)
        continue
      }
      let frame = try read(position)
      let reduced = DepthFrame(
        index: frame.index, lidar: options.trusted(frame), intrinsics: frame.intrinsics,
        worldFromCamera: frame.worldFromCamera, timestampSeconds: frame.timestampSeconds)
      known[position] = reduced
      frames.append(reduced)
    }
    return frames
  }
}
