public import FathomStorage
public import DepthCore
public import DepthDataset

extension SceneSample {
  /// What a diagnosis looks at of a scene.
  /// - Parameter seen: What was read of it already.
  /// - Parameter threads: That may wait for the reader.
  public init(
    _ scene: SceneHeader, from reader: borrowing some FrameSource & ~Copyable,
    seen: SeenFrames = SeenFrames(), threads: Int = 1
  ) throws(FathomError) {
    let indices = Self.indices(frameCount: scene.frameCount)
    let pictured = scene.imageFrames.map(Set.init)
    let withImage = scene.colourSize == nil ? [] : indices.filter { pictured?.contains($0) ?? true }
    // Large pictures take longer to read than everything else.
    let step = (withImage.count + Self.mostImages - 1) / Self.mostImages
    let chosen = Set(withImage.enumerated().filter { $0.offset % max(1, step) == 0 }.map(\.element))
    let around = Self.around(indices, of: scene)
    // All of them at once, so that they may be read at the same time.
    var frames = try seen.frames(
      indices.map { index in
        FrameRequest(index, chosen.contains(index) ? .all : FrameArrays.all.subtracting(.image))
      } + around.map { FrameRequest($0, [.lidar, .confidence, .camera]) },
      of: scene, from: reader, threads: threads)
    let beside = Array(frames[indices.count...])
    frames.removeLast(around.count)
    let stored = try reader.objects(of: scene, includingMasks: false), looked = Set(indices)
    var (objects, rest): ([DetectedObject], Int) = ([], Self.mostMaskPixels)
    let all = stored?.objects ?? []
    var next = all.indices.filter { looked.contains(all[$0].frame) }[...]
    while rest >= 0, !next.isEmpty {
      let some = Array(next.prefix(Self.masksAtOnce))
      next = next.dropFirst(some.count)
      for (position, mask) in zip(some, try reader.masks(ofObjects: some, in: scene, threads: threads)) {
        rest -= mask?.size.count ?? 0
        if rest < 0 { break }
        objects.append(all[position])
        objects[objects.count - 1].mask = mask
      }
    }
    self.init(
      header: scene, frames: frames, objects: objects,
      conventions: stored?.conventions ?? DetectionConventions(),
      poses: try Self.poses(of: scene, around: frames, from: reader, threads), around: beside)
  }

  /// Positions of the frames whose depth is compared with the maps of their neighbours.
  static func around(_ indices: [Int], of scene: SceneHeader) -> [Int] {
    guard indices.count < scene.frameCount, scene.lidarSize != nil,
      scene.relativeSize != nil || scene.truthSize != nil || scene.colourSize != nil
        || !scene.predictions.isEmpty
    else { return [] }
    // Every second of them where there are many, as of the images.
    let step = max(1, indices.count / mostWithNeighbours)
    let wanted = indices.enumerated().filter { $0.offset % step == 0 }.flatMap {
      [$0.element - 1, $0.element + 1]
    }
    return Set(wanted.filter { (0..<scene.frameCount).contains($0) }).subtracting(indices).sorted()
  }

  /// Frames whose neighbours are read, too.
  private static let mostWithNeighbours = 12

  /// Poses of the frames and of those so near that a lag may have confused them.
  private static func poses(
    of scene: SceneHeader, around frames: [DepthFrame], from reader: borrowing some FrameSource & ~Copyable,
    _ threads: Int
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
    let others = around.sorted().map { FrameRequest($0, .camera) }
    for frame in try reader.frames(others, of: scene, threads: threads) {
      poses[frame.index] = frame.worldFromCamera
    }
    return poses
  }

  /// Camera images that are read.
  private static let mostImages = 12
  /// Masks that are asked for at once.
  private static let masksAtOnce = 64
  /// Of all masks together, 512 MB: a thousand of the LiDAR's resolution are no more than 50 million.
  private static let mostMaskPixels = 1 << 27
}
