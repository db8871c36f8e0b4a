public import DepthCore
import DepthDataset
import Storage

/// Frames of a scene that are read for another reason, kept as a diagnosis wants them, so that it need not read them again.
public struct SeenFrames: Sendable {
  private var wanted: Set<Int> = []
  private var frames: [Int: DepthFrame] = [:]
  /// What is known of every frame.
  private static let arrays: FrameArrays = .fusion

  /// None.
  public init() {}

  /// Of a scene that will be diagnosed.
  public init(of scene: SceneHeader) {
    let indices = SceneSample.indices(frameCount: scene.frameCount)
    wanted = Set(indices).union(SceneSample.followers(of: scene, indices))
  }

  /// Keeps what a diagnosis looks at of a frame that was read with `FrameArrays.fusion` at least.
  public mutating func see(_ frame: DepthFrame) {
    guard wanted.contains(frame.index), frames[frame.index] == nil else { return }
    var frame = frame
    // Whether these were asked for is not known.
    (frame.image, frame.predictions) = (nil, [])
    frames[frame.index] = SceneSample.reduced(frame)
  }

  /// A frame as a diagnosis wants it; only what was not seen is read.
  ///
  /// - Parameter more: Beside `FrameArrays.fusion`.
  /// - Throws: `FathomError`.
  func frame(
    _ index: Int, of scene: SceneHeader, including more: FrameArrays,
    from reader: borrowing some FrameSource & ~Copyable
  ) throws(FathomError) -> DepthFrame {
    var asked = more
    if scene.predictions.isEmpty { asked.remove(.predictions) }
    guard var known = frames[index] else {
      var arrays = Self.arrays
      if scene.lidarSize == nil { arrays.subtract([.lidar, .confidence]) }
      return SceneSample.reduced(try reader.frame(index, of: scene, including: arrays.union(asked)))
    }
    guard !asked.isEmpty else { return known }
    let rest = try reader.frame(index, of: scene, including: asked)
    (known.image, known.predictions) = (rest.image, rest.predictions)
    return SceneSample.reduced(known)
  }
}
