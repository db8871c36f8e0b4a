public import DepthCore
internal import FathomHDF5
public import FathomStorage

extension DatasetReader {
  /// The scene's detections, in the order of the file; nil where the scene has no usable group `objects`.
  ///
  /// A true box whose numbers are not finite is unknown. Memory grows with the masks: 4 bytes a mask pixel.
  /// - Parameter includingMasks: False leaves them out; ``mask(ofObject:in:)`` reads one.
  /// - Throws: `FathomError` `.badData` if an array cannot be decompressed.
  public func objects(
    of scene: SceneHeader, includingMasks: Bool = true
  ) throws(FathomError) -> SceneObjects? {
    let attempted = "read the objects of scene '\(scene.name)'"
    guard let layout = try layout(of: scene, attempted).objects else { return nil }
    let (frames, scores, boxes): ([Int32], [Float], [Float]) = (
      try column("frame", layout, attempted), try column("score", layout, attempted),
      try column("bbox", layout, attempted)
    )
    let labels = try labels(layout, attempted), truth = try truthBoxes(layout, attempted)
    var objects: [DetectedObject] = []
    for index in 0..<layout.count {
      let box = PixelRectangle(
        minX: boxes[4 * index], minY: boxes[4 * index + 1], maxX: boxes[4 * index + 2],
        maxY: boxes[4 * index + 3])
      objects.append(
        DetectedObject(
          frame: Int(frames[index]), label: labels[index], score: scores[index], box: box,
          mask: includingMasks ? try mask(index, scene, layout, attempted) : nil, truth: truth?[index]))
    }
    return SceneObjects(conventions: layout.conventions, objects: objects)
  }

  /// The mask of one detection; nil where the scene has no masks.
  /// - Parameter index: Position in the scene's detections, from 0.
  /// - Throws: `FathomError` `.badData` if there is no such detection or its mask cannot be decompressed.
  public func mask(ofObject index: Int, in scene: SceneHeader) throws(FathomError) -> Raster<Float>? {
    let attempted = "read the mask of detection \(index) of scene '\(scene.name)'"
    guard let layout = try layout(of: scene, attempted).objects else { return nil }
    guard (0..<layout.count).contains(index) else {
      throw FathomError(
        .badData, attempted: attempted, file: path, object: layout.group,
        reason: "it has \(layout.count) detections", advice: "count detections from 0")
    }
    return try mask(index, scene, layout, attempted)
  }

  private func column<Element: HDF5Scalar>(
    _ name: String, _ layout: SceneLayout.Objects, _ attempted: String
  ) throws(FathomError) -> [Element] {
    let object = "\(layout.group)/\(name)"
    do throws(HDF5Error) { return try file.dataset(object).read() } catch {
      throw FathomError(error, attempted: attempted, file: path, object: object)
    }
  }

  private func labels(_ layout: SceneLayout.Objects, _ attempted: String) throws(FathomError) -> [String] {
    let object = layout.group + "/class"
    do throws(HDF5Error) {
      return
        try file.dataset(object).readStrings(longest: SchemaLimits.nameBytes, total: file.byteCount)
    } catch { throw FathomError(error, attempted: attempted, file: path, object: object) }
  }

  private func mask(
    _ index: Int, _ scene: SceneHeader, _ layout: SceneLayout.Objects, _ attempted: String
  ) throws(FathomError) -> Raster<Float>? {
    guard let mask = layout.mask else { return nil }
    var numbers: [Float] = try values(
      mask.path, FrameRead(index: index, scene: scene.name, attempted: attempted))
    if layout.maskIsInteger {
      for pixel in numbers.indices { numbers[pixel] /= 255 }
    }
    return Raster(mask.size, numbers)
  }

  private func truthBoxes(
    _ layout: SceneLayout.Objects, _ attempted: String
  ) throws(FathomError) -> [OrientedBox?]? {
    guard layout.hasTruth else { return nil }
    let (centers, sizes, yaws): ([Double], [Double], [Double]) = (
      try column("truth/center", layout, attempted), try column("truth/size", layout, attempted),
      try column("truth/yaw", layout, attempted)
    )
    return (0..<layout.count).map { index in
      let numbers = centers[3 * index..<3 * index + 3] + sizes[3 * index..<3 * index + 3] + [yaws[index]]
      guard numbers.allSatisfy(\.isFinite) else { return nil }
      return OrientedBox(
        center: SIMD3(centers[3 * index..<3 * index + 3]), size: SIMD3(sizes[3 * index..<3 * index + 3]),
        yaw: yaws[index])
    }
  }
}
