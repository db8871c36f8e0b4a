import DepthDataset
import DepthDiagnosis
import DepthFusion

extension SceneSample {
  /// What a diagnosis looks at of a scene.
  ///
  /// - Throws: `DatasetError`.
  init(_ scene: SceneHeader, from reader: borrowing DatasetReader) throws(DatasetError) {
    var arrays: FrameArrays = [.relative, .truth, .camera, .predictions]
    if scene.lidarSize != nil { arrays.formUnion([.lidar, .confidence]) }
    var frames: [DepthFrame] = []
    for index in Self.indices(frameCount: scene.frameCount) {
      frames.append(Self.reduced(try reader.frame(index, of: scene, including: arrays)))
    }
    let objects = try reader.objects(of: scene)
    let indices = Set(frames.map(\.index))
    self.init(
      header: scene, frames: frames, objects: objects?.objects.filter { indices.contains($0.frame) } ?? [],
      conventions: objects?.conventions ?? DetectionConventions())
  }
}
