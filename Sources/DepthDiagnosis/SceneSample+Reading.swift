public import Storage
public import DepthCore
public import DepthDataset

extension SceneSample {
  /// What a diagnosis looks at of a scene.
  ///
  /// - Throws: `FathomError`.
  public init(
    _ scene: SceneHeader, from reader: borrowing some FrameSource & ~Copyable
  ) throws(FathomError) {
    var arrays: FrameArrays = [.relative, .truth, .camera, .predictions]
    if scene.lidarSize != nil { arrays.formUnion([.lidar, .confidence]) }
    var frames: [DepthFrame] = []
    for index in Self.indices(frameCount: scene.frameCount) {
      frames.append(Self.reduced(try reader.frame(index, of: scene, including: arrays)))
    }
    let stored = try reader.objects(of: scene, includingMasks: false)
    let indices = Set(frames.map(\.index))
    var (objects, rest): ([DetectedObject], Int) = ([], Self.mostMaskPixels)
    for (position, object) in (stored?.objects ?? []).enumerated() where indices.contains(object.frame) {
      var object = object
      object.mask = try reader.mask(ofObject: position, in: scene)
      rest -= object.mask?.size.count ?? 0
      if rest < 0 { break }
      objects.append(object)
    }
    self.init(
      header: scene, frames: frames, objects: objects,
      conventions: stored?.conventions ?? DetectionConventions())
  }

  /// Of all masks together, 512 MB: a thousand of the LiDAR's resolution are no more than 50 million.
  private static let mostMaskPixels = 1 << 27
}
