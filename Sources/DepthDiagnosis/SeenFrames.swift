public import DepthCore
public import DepthDataset
import Storage

/// Frames of a scene that are read for another reason, kept as a diagnosis wants them, so that it need not read them again.
public struct SeenFrames: Sendable {
  private var wanted: Set<Int> = []
  private var frames: [Int: DepthFrame] = [:]
  /// What is known of every frame.
  private var arrays: FrameArrays = .fusion

  /// None.
  public init() {}

  /// Of a scene that will be diagnosed.
  ///
  /// - Parameter arrays: What is read of each frame, `FrameArrays.fusion` at least.
  public init(of scene: SceneHeader, including arrays: FrameArrays) {
    self.arrays = arrays
    let indices = SceneSample.indices(frameCount: scene.frameCount)
    wanted = Set(indices).union(SceneSample.followers(of: scene, indices))
  }

  /// Keeps what a diagnosis looks at of a frame.
  public mutating func see(_ frame: DepthFrame) {
    guard wanted.contains(frame.index), frames[frame.index] == nil else { return }
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
      var arrays: FrameArrays = .fusion
      if scene.lidarSize == nil { arrays.subtract([.lidar, .confidence]) }
      return SceneSample.reduced(try reader.frame(index, of: scene, including: arrays.union(asked)))
    }
    if !asked.contains(.image) { known.image = nil }
    if !asked.contains(.predictions) { known.predictions = [] }
    let missing = asked.subtracting(arrays)
    guard !missing.isEmpty else { return known }
    let rest = try reader.frame(index, of: scene, including: missing)
    if missing.contains(.image) { known.image = rest.image }
    if missing.contains(.predictions) { known.predictions = rest.predictions }
    return SceneSample.reduced(known)
  }
}
