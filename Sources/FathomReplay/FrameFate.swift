/// What became of a frame that the camera offered.
public enum FrameFate: Sendable, Hashable {
  /// Its analysis, from start to end, and the refresh of the display that shows the result first: nanoseconds.
  case analysed(from: Int, to: Int, shown: Int)
  /// The policy dropped it: at once, or when a newer one took its place.
  case dropped
  /// The pool had no buffer for it.
  case starved
  /// The tracking was not normal, so it was not looked at.
  case untracked
}

public struct ReplayedFrame: Sendable, Hashable {
  /// Number of the frame, from 0.
  public var index: Int
  /// When the camera took it, nanoseconds.
  public var captured: Int
  public var fate: FrameFate
  /// Numbers of the buffers that it held, and until when, nanoseconds; none where it was not retained.
  public var buffers: [Int] = []
  public var released: Int?
}
