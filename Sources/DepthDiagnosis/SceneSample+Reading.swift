public import Storage
public import DepthCore
public import DepthDataset

extension SceneSample {
  /// What a diagnosis looks at of a scene.
  ///
  /// - Parameter seen: What was read of it already.
  /// - Throws: `FathomError`.
  public init(
    _ scene: SceneHeader, from reader: borrowing some FrameSource & ~Copyable,
    seen: SeenFrames = SeenFrames()
  ) throws(FathomError) {
    var frames: [DepthFrame] = []
    let indices = Self.indices(frameCount: scene.frameCount)
    let pictured = scene.imageFrames.map(Set.init)
    let withImage = scene.colourSize == nil ? [] : indices.filter { pictured?.contains($0) ?? true }
    // Large pictures take longer to read than everything else.
    let step = (withImage.count + Self.mostImages - 1) / Self.mostImages
    let chosen = Set(withImage.enumerated().filter { $0.offset % max(1, step) == 0 }.map(\.element))
    for index in indices {
      frames.append(
        try seen.frame(
          index, of: scene, including: chosen.contains(index) ? [.predictions, .image] : .predictions,
          from: reader))
    }
    let stored = try reader.objects(of: scene, includingMasks: false)
    let looked = Set(indices)
    var (objects, rest): ([DetectedObject], Int) = ([], Self.mostMaskPixels)
    for (position, object) in (stored?.objects ?? []).enumerated() where looked.contains(object.frame) {
      var object = object
      object.mask = try reader.mask(ofObject: position, in: scene)
      rest -= object.mask?.size.count ?? 0
      if rest < 0 { break }
      objects.append(object)
    }
    self.init(
      header: scene, frames: frames, objects: objects,
      conventions: stored?.conventions ?? DetectionConventions(),
      poses: try Self.poses(of: scene, around: frames, from: reader),
      followers: try Self.followers(of: scene, indices, from: reader, seen))
  }

  /// Frames after some of those that are looked at, where not all are.
  private static func followers(
    of scene: SceneHeader, _ indices: [Int], from reader: borrowing some FrameSource & ~Copyable,
    _ seen: SeenFrames
  ) throws(FathomError) -> [DepthFrame] {
    var frames: [DepthFrame] = []
    for index in followers(of: scene, indices) {
      frames.append(try seen.frame(index, of: scene, including: [], from: reader))
    }
    return frames
  }

  /// Positions of the frames that are held against the one before.
  static func followers(of scene: SceneHeader, _ indices: [Int]) -> [Int] {
    guard indices.count < scene.frameCount, scene.lidarSize != nil,
      scene.relativeSize != nil || scene.truthSize != nil
    else { return [] }
    let known = Set(indices)
    let wanted = indices.filter { $0 + 1 < scene.frameCount && !known.contains($0 + 1) }
    let step = max(1, wanted.count / mostFollowers)
    return wanted.enumerated().filter { $0.offset % step == 0 }.map { $0.element + 1 }
  }

  /// Frames that are read to be held against the one before.
  private static let mostFollowers = 8

  /// Poses of the frames and of those so near that a lag may have confused them.
  private static func poses(
    of scene: SceneHeader, around frames: [DepthFrame], from reader: borrowing some FrameSource & ~Copyable
  ) throws(FathomError) -> [Int: RigidTransform]? {
    guard scene.hasPoses, let reach = MotionReading.lags.max() else { return nil }
    var poses = Dictionary(
      frames.compactMap { frame in frame.worldFromCamera.map { (frame.index, $0) } }
    ) { $1 }
    let known = Set(frames.map(\.index))
    let around = Set(
      frames.flatMap { frame in
        (frame.index - reach...frame.index + reach).filter { (0..<scene.frameCount).contains($0) }
      }
    ).subtracting(known)
    for index in around.sorted() {
      poses[index] = try reader.frame(index, of: scene, including: .camera).worldFromCamera
    }
    return poses
  }

  /// Camera images that are read.
  private static let mostImages = 12

  /// Of all masks together, 512 MB: a thousand of the LiDAR's resolution are no more than 50 million.
  private static let mostMaskPixels = 1 << 27
}
