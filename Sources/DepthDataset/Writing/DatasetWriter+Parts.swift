public import DepthCore
internal import FathomHDF5
public import FathomStorage

extension SceneHeader {
  /// The header of a scene that holds only some of the frames.
  /// - Parameter range: Not empty; positions of the frames.
  public func part(_ range: Range<Int>) -> SceneHeader {
    var part = self
    part.frameCount = range.count
    part.frameIDs = frameIDs.map { Array($0[range]) }
    part.timestampsSeconds = timestampsSeconds.map { Array($0[range]) }
    if let frames = imageFrames {
      let own = frames.filter(range.contains).map { $0 - range.lowerBound }
      part.imageFrames = own.isEmpty || own.count == range.count ? nil : own
      if own.isEmpty { part.colourSize = nil }
    }
    return part
  }
}

extension DatasetWriter {
  /// Takes frames from another data set, as they are stored there: they are neither decoded nor compressed again.
  /// - Parameter part: A data set that this program wrote, with one scene that has ``SceneHeader/part(_:)`` as its header.
  /// - Parameter range: Where its frames belong.
  /// - Parameter cameras: The intrinsics of these frames.
  /// - Throws: `FathomError` where there is no such scene here, or the part cannot be read; `.inputOutput` if the disk is full.
  public mutating func take(
    _ range: Range<Int>, from part: String, cameras: [CameraIntrinsics?], of scene: String
  ) throws(FathomError) {
    let attempted =
      "take frames \(range.lowerBound) to \(range.upperBound - 1) of scene '\(scene)' from \(part)"
    let group = "scenes/\(scene)", progress = try progress(of: scene, attempted)
    let header = progress.header, pictures = header.imageFrames ?? Array(0..<header.frameCount)
    let (first, own) = (pictures.count { $0 < range.lowerBound }, pictures.count { range.contains($0) })
    var stacks = header.predictions.map { "predictions/\($0.name)/depth" }
    if header.lidarSize != nil { stacks.append("lidar/depth") }
    if header.hasConfidence { stacks.append("lidar/confidence") }
    if header.relativeSize != nil { stacks.append("relative/values") }
    if header.truthSize != nil { stacks.append("truth/depth") }
    stacks += header.deviationStacks.map(\.object)
    try attempt(attempted, group) { () throws(HDF5Error) in
      let source = try HDF5File(readingFrom: part)
      for name in stacks {
        try copy(group + "/" + name, from: source, count: range.count, to: range.lowerBound)
      }
      if header.colourSize != nil, own > 0 {
        try copy(group + "/image/rgb", from: source, count: own, to: first)
      }
      if header.hasPoses {
        let name = group + "/camera/world_from_camera", poses = try source.dataset(name)
        let target = try file.dataset(name)
        for index in 0..<range.count {
          try target.write(try poses.read(as: Double.self, at: index), at: range.lowerBound + index)
        }
      }
    }
    for (index, camera) in zip(range, cameras) {
      scenes[scene]?.cameras[index] = camera
      scenes[scene]?.isWritten[index] = true
    }
  }

  private func copy(
    _ name: String, from source: borrowing HDF5File, count: Int, to first: Int
  ) throws(HDF5Error) {
    let stored = try source.dataset(name), target = try file.dataset(name)
    guard stored.shape.first == count else {
      throw HDF5Error(operation: "H5Dread_chunk", object: name, stack: ["it holds another number of frames"])
    }
    for index in 0..<count { try target.copyEntry(index, of: stored, to: first + index) }
  }
}
