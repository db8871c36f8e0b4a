import FathomRuns
import DepthCore
import FathomPlainText
import DepthDataset
import DepthFusion
import FathomStorage

/// The depth map of a frame that the user chose to look at.
struct SourceDepth {
  private let scene: SceneHeader, source: DepthSource, fused: FusedDepth?

  init(
    _ source: DepthSource, of scene: SceneHeader, from reader: borrowing some FrameSource & ~Copyable,
    seed: UInt64
  ) throws(FathomError) {
    (self.scene, self.source) = (scene, source)
    if case .fused(let method) = source {
      fused = try FusedDepth(method, of: scene, from: reader, seed: seed)
    } else {
      fused = nil
    }
  }

  /// Arrays that it needs of a frame.
  var arrays: FrameArrays {
    if let fused { return fused.arrays }
    return source == .truth ? [.lidar, .confidence, .camera, .truth] : [.lidar, .confidence, .camera]
  }

  /// For ``frame(_:including:from:after:)``: the frames before each one that the map depends on.
  var history: FrameHistory { FrameHistory(length: fused?.historyLength ?? 0) }

  /// The map, and how metrics read it between its pixels.
  /// - Parameter before: The frames before, newest first.
  /// - Throws: `FathomError` `.badData` where the frame lacks it or the method refuses.
  func map(of frame: DepthFrame, after before: [DepthFrame], file: String) throws(FathomError) -> Prediction {
    if let fused { return try fused.prediction(of: frame, after: before, file: file) }
    if source == .lidar {
      guard frame.hasLidar else {
        throw scene.lacks(
          "lidar/depth", "the scene has no LiDAR", "choose another \(option: "source")", frame: frame.index,
          file)
      }
      return Prediction(depth: frame.lidar)
    }
    guard let truth = frame.truth else {
      throw scene.lacks(
        "truth/depth", "there is none", "choose another \(option: "source")", frame: frame.index, file)
    }
    return Prediction(depth: truth)
  }

  /// The standard deviation that the source states of each pixel, metres.
  /// - Throws: `FathomError` `.badData` where it states none.
  func deviation(
    of frame: DepthFrame, after before: [DepthFrame], file: String
  ) throws(FathomError) -> DepthMap {
    guard let deviation = fused?.deviation(of: frame, after: before) else {
      throw scene.lacks(
        "predictions", "\(source) states no standard deviations",
        "choose another \(option: "source"), such as auto or lidar-bilinear", frame: frame.index, file)
    }
    return deviation
  }
}

extension SceneHeader {
  /// An array that a picture or file of a frame needs and the scene does not have.
  func lacks(
    _ array: String, _ reason: String, _ advice: Wording, frame: Int, _ file: String
  ) -> FathomError {
    FathomError(
      .badData, attempted: "render frame \(frameID(frame))", file: file, object: "scenes/\(name)/\(array)",
      reason: "\(reason)", advice: advice)
  }
}
