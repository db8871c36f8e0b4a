public import DepthCore
public import DepthDataset
import FathomStorage

/// Frames of a scene that are read for another reason, kept as a diagnosis wants them, so that it need not read them again.
public struct SeenFrames: Sendable {
  private var wanted: Set<Int> = []
  private var frames: [Int: DepthFrame] = [:]
  /// What is known of every frame.
  private var arrays: FrameArrays = .fusion
  public init() {}

  /// Of a scene that will be diagnosed.
  /// - Parameter arrays: What is read of each frame, `FrameArrays.fusion` at least.
  public init(of scene: SceneHeader, including arrays: FrameArrays) {
    self.arrays = arrays
    let indices = SceneSample.indices(frameCount: scene.frameCount)
    wanted = Set(indices).union(SceneSample.around(indices, of: scene))
  }

  /// Keeps what a diagnosis looks at of a frame.
  public mutating func see(_ frame: DepthFrame) {
    guard wanted.contains(frame.index), frames[frame.index] == nil else { return }
    frames[frame.index] = SceneSample.reduced(frame)
  }

  /// Frames as a diagnosis wants them; only what was not seen is read.
  func frames(
    _ wanted: [FrameRequest], of scene: SceneHeader, from reader: borrowing some FrameSource & ~Copyable,
    threads: Int
  ) throws(FathomError) -> [DepthFrame] {
    var asked = wanted
    for position in wanted.indices {
      if scene.predictions.isEmpty { asked[position].arrays.remove(.predictions) }
      guard frames[wanted[position].index] == nil else {
        asked[position].arrays.subtract(arrays)
        continue
      }
      if scene.lidarSize == nil { asked[position].arrays.subtract([.lidar, .confidence]) }
    }
    var missing = asked.filter { !$0.arrays.isEmpty }
    for position in missing.indices { missing[position].arrays.formUnion(.reduced) }
    let reduction = FrameReduction(lidarSize: scene.lidarSize)
    var read = try reader.frames(missing, of: scene, threads: threads).map(reduction.callAsFunction)[...]
    return zip(wanted, asked).compactMap { wanted, asked in
      let new = asked.arrays.isEmpty ? nil : read.removeFirst()
      guard var known = frames[wanted.index] else { return new }
      if asked.arrays.contains(.image) || !wanted.arrays.contains(.image) { known.image = new?.image }
      if asked.arrays.contains(.predictions) || !wanted.arrays.contains(.predictions) {
        known.predictions = new?.predictions ?? []
      }
      return known
    }
  }
}
