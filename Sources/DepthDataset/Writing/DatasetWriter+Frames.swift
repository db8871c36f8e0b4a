public import DepthCore
internal import FathomHDF5
public import FathomStorage

extension DatasetWriter {
  /// Writes one frame; frames may come in any order, and a later one replaces an earlier one.
  /// - Throws: `FathomError` `.badData` if there is no such scene or frame, or the frame has not exactly the
  ///   arrays and resolutions of the scene's header; `.inputOutput` if the disk is full.
  public mutating func write(_ frame: DepthFrame, to scene: String) throws(FathomError) {
    try write(CompressedFrame(frame, level: scenes[scene]?.compression ?? 0), to: scene)
  }

  /// The same with its arrays compressed already.
  /// - Throws: As ``write(_:to:)-(DepthFrame,_)``.
  public mutating func write(_ compressed: CompressedFrame, to scene: String) throws(FathomError) {
    let frame = compressed.frame, attempted = "write frame \(frame.index) of scene '\(scene)'"
    let group = "scenes/\(scene)", progress = try progress(of: scene, attempted)
    let header = progress.header
    guard (0..<header.frameCount).contains(frame.index)
    else { throw mismatch(attempted, group, "it has \(header.frameCount) frames") }
    let lidar = frame.lidar.values.isEmpty ? nil : frame.lidar
    let deviations = Dictionary(uniqueKeysWithValues: frame.deviationStacks)
    let confidenceSize = header.hasConfidence ? header.lidarSize : nil
    try check(attempted, group + "/lidar/depth", lidar?.size, header.lidarSize)
    try check(attempted, group + "/lidar/confidence", frame.confidence?.size, confidenceSize)
    try check(attempted, group + "/relative/values", frame.relative?.size, header.relativeSize)
    try check(attempted, group + "/truth/depth", frame.truth?.size, header.truthSize)
    let picture = header.imageFrames.map { list in list.firstIndex(of: frame.index) } ?? frame.index
    try check(attempted, group + "/image/rgb", frame.image?.size, picture == nil ? nil : header.colourSize)
    try check(
      attempted, group + "/predictions", frame.predictions.map(\.header), header.predictions,
      maps: frame.predictions.map(\.map.size))
    for (object, size) in header.deviationStacks {
      try check(attempted, group + "/" + object, deviations[object]?.size, size)
    }
    try checkCamera(attempted, group + "/camera", frame, header)

    func put<Element: HDF5Scalar>(_ values: [Element]?, _ object: String, at index: Int) throws(FathomError) {
      guard let values else { return }
      try attempt(attempted, group + "/" + object) { () throws(HDF5Error) in
        let dataset = try file.dataset(group + "/" + object)
        if let entry = compressed.entries[object], try dataset.write(entry, at: index) { return }
        try dataset.write(values, at: index)
      }
    }
    try put(lidar?.values, "lidar/depth", at: frame.index)
    try put(frame.confidence?.values, "lidar/confidence", at: frame.index)
    try put(frame.relative?.values, "relative/values", at: frame.index)
    try put(frame.truth?.values, "truth/depth", at: frame.index)
    if let picture { try put(frame.image?.bytes, "image/rgb", at: picture) }
    for (stored, map) in frame.predictions {
      try put(map.values, "predictions/\(stored.name)/depth", at: frame.index)
    }
    for (object, _) in header.deviationStacks {
      try put(deviations[object]?.values, object, at: frame.index)
    }
    if header.hasPoses {
      let pose = frame.worldFromCamera?.rowMajor ?? [Double](repeating: .nan, count: 16)
      try put(pose, "camera/world_from_camera", at: frame.index)
    }
    scenes[scene]?.cameras[frame.index] = frame.intrinsics
    scenes[scene]?.isWritten[frame.index] = true
  }

  /// What was laid out for a scene.
  func progress(of scene: String, _ attempted: String) throws(FathomError) -> SceneProgress {
    if let progress = scenes[scene] { return progress }
    throw FathomError(
      .badData, attempted: attempted, file: path, object: "scenes/\(scene)", reason: "there is no such scene",
      advice: "add the scene first")
  }

  private func check(
    _ attempted: String, _ object: String, _ given: RasterSize?, _ declared: RasterSize?
  ) throws(FathomError) {
    guard given != declared else { return }
    let (frame, header) = (given.map { "\($0)" } ?? "nothing", declared.map { "\($0)" } ?? "nothing")
    throw mismatch(attempted, object, "the frame has \(frame), but the scene was declared with \(header)")
  }

  private func check(
    _ attempted: String, _ object: String, _ given: [StoredPrediction], _ declared: [StoredPrediction],
    maps: [RasterSize]
  ) throws(FathomError) {
    guard given != declared || maps != declared.map(\.size) else { return }
    func list(_ predictions: [StoredPrediction]) -> String {
      predictions.isEmpty ? "none" : predictions.map { "\($0.name) of \($0.size)" }.joined(separator: ", ")
    }
    throw mismatch(
      attempted, object,
      "the frame has \(list(given)), but the scene was declared with \(list(declared))")
  }

  private func checkCamera(
    _ attempted: String, _ object: String, _ frame: DepthFrame, _ header: SceneHeader
  ) throws(FathomError) {
    if let given = frame.intrinsics, given.imageSize != header.intrinsics?.imageSize {
      let declared = header.intrinsics.map { "for \($0.imageSize)" } ?? "without any"
      throw mismatch(
        attempted, object,
        "the frame has intrinsics for \(given.imageSize), but the scene was declared \(declared)")
    }
    // A scene with poses may have frames without one: tracking is lost at times.
    guard frame.worldFromCamera == nil || header.hasPoses
    else { throw mismatch(attempted, object, "the frame has a pose, against the scene's declaration") }
  }

  private func mismatch(_ attempted: String, _ object: String, _ reason: String) -> FathomError {
    FathomError(
      .badData, attempted: attempted, file: path, object: object, reason: reason,
      advice: "give every frame of a scene the arrays of its header")
  }
}

extension Raster where Element == RGB {
  /// Red, green, blue of every pixel.
  var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 3 * values.count) { bytes, count in
      for (index, pixel) in values.enumerated() {
        bytes.initializeElement(at: 3 * index, to: pixel.red)
        bytes.initializeElement(at: 3 * index + 1, to: pixel.green)
        bytes.initializeElement(at: 3 * index + 2, to: pixel.blue)
      }
      count = 3 * values.count
    }
  }
}
