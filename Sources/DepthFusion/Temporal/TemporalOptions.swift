public import DepthCore

/// Which LiDAR map the methods see.
public enum LidarInput: String, Sendable, Hashable, Codable, CaseIterable, OptionValue {
  /// The frame's own.
  case raw
  /// Averaged with the frames before it (``TemporalFilter``). `lidar-nearest`, `lidar-bilinear`, `spec` and
  /// `shipped` stay with the frame's own.
  case smoothed
}

/// What a user may set about averaging over time.
public struct TemporalOptions: Sendable, Hashable, Codable {
  /// The map that the fitted, local and automatic methods see.
  public var lidar = LidarInput.raw
  /// Most frames before the present one that are averaged with it.
  public var frames = 5
  /// Oldest frame that is averaged, seconds before the present one, inclusive; frames without a time stamp have no age.
  /// Poses drift and scenes move, so that old frames add errors of their own. The default lets a camera of 5 frames a
  /// second give its last five.
  public var maxAgeSeconds = 1.0
  /// A frame is skipped as a whole where the median of its differences from the present one, in standard deviations of
  /// both returns, exceeds this: noise alone makes it 0.67, a wrong pose more.
  public var largestMedian = 1.35
  /// A warped depth that differs by more than this share, and by more than three standard deviations of both
  /// returns, is something else.
  public var agreement = 0.03
  /// One that differs by more than this share is something else whatever the noise.
  public var largestDifference = 0.1
  public init() {}
}

extension TemporalOptions: DeclaredOptions {
  /// Those of its options that a command line can set.
  public static let rules: [Rule] = [
    Rule("lidar", \.lidar, help: "LiDAR that the fitted, local and automatic methods see"),
    Rule(
      "smoothing-frames", \.frames, .from(0, to: 60),
      help: "Earlier frames that are averaged into the smoothed LiDAR"),
    Rule(
      "smoothing-age", \.maxAgeSeconds, .from(0, to: .infinity), .seconds,
      help: "Oldest frame averaged into the smoothed LiDAR where time stamps exist"),
  ]
}
