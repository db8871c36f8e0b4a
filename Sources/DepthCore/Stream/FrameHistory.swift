/// The last frames before the one that is looked at, reduced to LiDAR and camera.
public struct FrameHistory: Sendable {
  /// Most frames that are kept.
  public let length: Int
  private var past: [DepthFrame] = []
  private var next = 0  // The frame that follows those.
  public init(length: Int) { self.length = length }

  /// A frame, and those before it, newest first. Of frames that follow each other none is read twice.
  /// - Parameter past: Reads an earlier frame; LiDAR, confidence and camera are enough.
  /// - Throws: What they throw.
  public mutating func frame<Failure: Error>(
    _ index: Int, past readPast: (Int) throws(Failure) -> DepthFrame,
    read: (Int) throws(Failure) -> DepthFrame
  ) throws(Failure) -> (frame: DepthFrame, before: [DepthFrame]) {
    if index != next {
      past = []
      for earlier in max(0, index - length)..<index { append(try readPast(earlier)) }
    }
    let frame = try read(index)
    let before = Array(past.reversed())
    append(frame)
    next = index + 1
    return (frame, before)
  }

  private mutating func append(_ frame: DepthFrame) {
    guard length > 0 else { return }
    if past.count == length { past.removeFirst() }
    past.append(
      DepthFrame(
        index: frame.index, lidar: frame.lidar, confidence: frame.confidence, intrinsics: frame.intrinsics,
        worldFromCamera: frame.worldFromCamera, timestampSeconds: frame.timestampSeconds))
  }
}
