import FathomStorage
import DepthCalibration
import DepthCore
import DepthDataset
import DepthEvaluation

/// The frames of a scene as a calibration sees them: with the stored truth, or with a reference from the frames around.
struct CalibrationSource {
  let context: SceneContext  // The scene with the truth that it is compared with, its kind resolved.
  private let stored: SceneHeader, reference: MultiviewReference?
  private var window: MultiviewWindow, history: FrameHistory

  /// A frame before the work that may be done at the same time as others'.
  struct Frame: Sendable {
    fileprivate let frame: DepthFrame
    /// The frames before it, newest first, reduced to LiDAR and camera; as many as were asked for.
    let before: [DepthFrame]
    fileprivate let neighbours: [DepthFrame], reference: MultiviewReference?
    /// With its truth.
    func prepared() -> DepthFrame { reference?.applied(to: frame, from: neighbours) ?? frame }
  }

  /// - Parameter historyLength: Frames before each one that are wanted beside it.
  /// - Throws: `MultiviewFailure` where a multi-view reference is asked for and the scene lacks what it takes; `FathomError`.
  init(
    _ scene: SceneContext, _ truth: TruthOrigin, historyLength: Int = 0,
    from reader: borrowing some FrameSource & ~Copyable
  ) throws {
    var context = scene
    stored = scene.header
    if scene.header.lidarSize != nil {
      try context.resolveKind { (index) throws(FathomError) in
        try reader.frame(index, of: scene.header, including: [.lidar, .confidence, .relative])
      }
    }
    reference = try truth.reference(of: scene.header)
    if reference != nil { context.header = MultiviewReference.header(of: scene.header) }
    self.context = context
    window = MultiviewWindow(frameCount: scene.header.frameCount)
    history = FrameHistory(length: historyLength)
  }

  /// Reads a frame and, where its truth is made from them, the frames around.
  /// - Parameter index: Ascending from call to call.
  mutating func frame(_ index: Int, from reader: borrowing some FrameSource & ~Copyable) throws(FathomError)
    -> Frame
  {
    var arrays: FrameArrays = [.lidar]
    if stored.hasConfidence { arrays.insert(.confidence) }
    if stored.relativeSize != nil { arrays.insert(.relative) }
    if reference != nil || history.length > 0 { arrays.insert(.camera) }
    if reference == nil, stored.truthSize != nil { arrays.insert(.truth) }
    let (frame, before) = try reader.frame(index, of: stored, including: arrays, after: &history)
    guard reference != nil else { return Frame(frame: frame, before: before, neighbours: [], reference: nil) }
    var views: FrameArrays = [.lidar, .camera]
    if stored.hasConfidence { views.insert(.confidence) }
    let neighbours = try window.frames(around: index) { (other) throws(FathomError) in
      try reader.frame(other, of: stored, including: views)
    }
    return Frame(frame: frame, before: before, neighbours: neighbours, reference: reference)
  }
}
