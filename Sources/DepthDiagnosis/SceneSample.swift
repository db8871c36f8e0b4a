public import DepthCore
import DepthDataset

/// The part of a scene that is diagnosed, in memory, so that a correction can be tried before the next test.
public struct SceneSample: Sendable {
  /// Most frames that are looked at, evenly over the scene.
  public static let frameLimit = 24
  /// What the file declares, with the corrections so far.
  public var header: SceneHeader
  /// Some of the scene's frames, in order.
  public var frames: [DepthFrame]
  /// Detections of those frames; each names its frame by `DepthFrame.index`.
  public var objects: [DetectedObject]
  /// How boxes and masks are counted.
  public var conventions: DetectionConventions
  /// Which view each frame is of: frames from one place have one number.
  let viewpoints: [Int]
  /// Poses by the index of their frame: those of ``frames``, and of frames around them.
  public var poses: [Int: RigidTransform]
  /// Frames beside some of ``frames`` in the recording that are not among them; LiDAR and poses only.
  public var around: [DepthFrame]

  enum Reference {
    case lidar
    /// In the LiDAR's place, in a scene that has none.
    case truth

    var noun: String { self == .lidar ? "the LiDAR" : "the truth" }
    var map: String { self == .lidar ? "the LiDAR map" : "the truth" }
  }

  /// What ``DepthFrame/lidar`` of ``frames`` is.
  var reference = Reference.lidar
  /// Threads that a test may use.
  var threads = 1

  /// - Parameter poses: Also of other frames; nil for those of `frames` only.
  /// - Parameter around: Frames beside some of `frames`.
  public init(
    header: SceneHeader, frames: [DepthFrame], objects: [DetectedObject] = [],
    conventions: DetectionConventions = DetectionConventions(), poses: [Int: RigidTransform]? = nil,
    around: [DepthFrame] = []
  ) {
    self.around = around
    (self.header, self.frames) = (header, frames)
    (self.objects, self.conventions) = (objects, conventions)
    viewpoints = Viewpoints.groups(of: frames)
    self.poses =
      poses
      ?? Dictionary(frames.compactMap { frame in frame.worldFromCamera.map { (frame.index, $0) } }) { $1 }
  }

  /// Frames to be read of a scene with so many.
  public static func indices(frameCount: Int) -> [Int] {
    let count = min(frameCount, frameLimit)
    return (0..<count).map { count == 1 ? 0 : $0 * (frameCount - 1) / (count - 1) }
  }

  /// A frame without what no test needs: the truth is thinned to about the LiDAR's resolution.
  public static func reduced(_ frame: DepthFrame) -> DepthFrame {
    FrameReduction(lidarSize: frame.lidar.size)(frame)
  }

  /// Whether frames can be carried into each other; the reason where they cannot.
  var objectionToWarping: String? {
    if header.lidarSize == nil { return "the scene has no LiDAR depth" }
    if !header.hasPoses { return "the scene has no poses" }
    if header.intrinsics == nil { return "the scene has no intrinsics" }
    return frames.count < 2 ? "one frame cannot be carried into another" : nil
  }
}
