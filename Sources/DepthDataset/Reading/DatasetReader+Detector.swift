public import DepthCore
public import FathomStorage

extension DatasetReader {
  /// The raw output of the scene's segmentation network in one frame; nil where the scene has none that is usable
  /// (`SceneHeader.detector` says so beforehand). Half precision becomes Float.
  /// - Parameter index: From 0.
  /// - Throws: `FathomError` `.badData` if the frame does not exist or an array cannot be decompressed.
  public func detectorOutput(frame index: Int, of scene: SceneHeader) throws(FathomError) -> DetectorOutput? {
    let attempted = "read the detector's output in frame \(index) of scene '\(scene.name)'"
    _ = try layout(of: scene, attempted)
    guard let stored = scenes.first(where: { $0.name == scene.name }), let head = stored.detector
    else { return nil }
    let group = "scenes/\(scene.name)/detector"
    guard (0..<stored.frameCount).contains(index) else {
      throw FathomError(
        .badData, attempted: attempted, file: path, object: group,
        reason: "it has \(stored.frameCount) frames", advice: "count frames from 0")
    }
    let read = FrameRead(index: index, scene: scene.name, attempted: attempted)
    return DetectorOutput(
      head: head, predictions: try values(group + "/predictions", read),
      prototypes: try values(group + "/prototypes", read))
  }
}
