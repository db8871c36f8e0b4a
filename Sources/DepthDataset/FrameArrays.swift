public struct FrameArrays: OptionSet, Sendable {
  /// One bit per array.
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// `lidar/depth`.
  public static let lidar = FrameArrays(rawValue: 1)
  /// `lidar/confidence`.
  public static let confidence = FrameArrays(rawValue: 2)
  /// `relative/values`.
  public static let relative = FrameArrays(rawValue: 4)
  /// `truth/depth` and `truth/deviation`.
  public static let truth = FrameArrays(rawValue: 8)
  /// `image/rgb`.
  public static let image = FrameArrays(rawValue: 16)
  /// `camera/intrinsics` and `camera/world_from_camera`.
  public static let camera = FrameArrays(rawValue: 32)
  /// Every `predictions/<name>/depth` and `deviation`.
  public static let predictions = FrameArrays(rawValue: 64)
  /// Ids by pixel, where a source has them; no part of a data set.
  public static let ids = FrameArrays(rawValue: 256)
  /// No array, but a word about the others: what ``FrameReduction`` leaves of them is enough. A source that has them at hand anyway
  /// need not heed it.
  public static let reduced = FrameArrays(rawValue: 128)
  public static let all: FrameArrays = [.fusion, .image, .predictions]
  /// What a fusion method needs: everything but the image and what other networks made of it.
  public static let fusion: FrameArrays = [.lidar, .confidence, .relative, .truth, .camera]
}
