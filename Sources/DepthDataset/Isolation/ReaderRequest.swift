package import DepthCore
internal import FathomStorage

/// What a reader process is asked.
package enum ReaderRequest: UInt8 {
  case open, inspect, frame, objects, mask, detectorOutput
}

/// How a data set is to be opened; goes to the reader as the argument of its subcommand.
struct ReaderOptions: Codable {
  var path: String, isLenient: Bool, external: ExternalFolders
  /// Whether it is read only with all layers.
  var needsAllLayers = ReaderLayers.areRequired
}

struct OpenedDataset: Codable {
  var schemaVersion: Int, attributes: DatasetAttributes, scenes: [SceneHeader], issues: [SchemaIssue]
  /// Other files that it leads to: names and places.
  var externalNames: [String], externalPaths: [String]
  /// As bits of `FATHOM_LAYER_…`.
  var layers: Int32
}

extension WireWriter {
  /// As an answer that is none.
  mutating func put(failure error: FathomError) throws {
    put(UInt8(1))
    try put(json: error)
  }

  /// - Parameter arrays: What was asked for.
  package mutating func put(_ frame: DepthFrame, of scene: SceneHeader, including arrays: FrameArrays) {
    put(arrays.contains(.reduced) ? FrameReduction(lidarSize: scene.lidarSize)(frame) : frame)
  }

  private mutating func put(_ frame: DepthFrame) {
    let maps =
      [frame.lidar, frame.relative, frame.truth, frame.truthDeviation].compactMap(\.self)
      + frame.predictions.map(\.map) + Array(frame.certainties.values)
    // A confidence and a colour are a byte each; beside the maps there is little.
    let bytes = maps.reduce(0) { $0 + 4 * $1.size.count } + (frame.image?.size.count ?? 0) * 3
    reserve(bytes + (frame.confidence?.size.count ?? 0) + 4096)
    put(frame.index)
    put(frame.lidar)
    put(frame.confidence) { $0.put($1) }
    put(frame.relative) { $0.put($1) }
    put(frame.truth) { $0.put($1) }
    put(frame.intrinsics) { wire, camera in
      for number in [camera.fx, camera.fy, camera.cx, camera.cy] { wire.put(number) }
      wire.put(camera.imageSize.width)
      wire.put(camera.imageSize.height)
    }
    put(frame.worldFromCamera) { $0.put($1.rowMajor) }
    put(frame.timestampSeconds) { $0.put($1) }
    put(frame.image) { $0.put($1) }
    put(frame.predictions.count)
    for prediction in frame.predictions { put(prediction.map) }
    put(frame.truthDeviation) { $0.put($1) }
    for prediction in frame.predictions { put(frame.certainties[prediction.header.name]) { $0.put($1) } }
  }

  package mutating func put(_ objects: SceneObjects) {
    put(objects.conventions.boxOrigin == .topLeft ? 0 : 1)
    put(objects.conventions.maskOrigin == .topLeft ? 0 : 1)
    put(objects.conventions.maskStride)
    put(objects.objects.count)
    for object in objects.objects {
      put(object.frame)
      put(object.label)
      put([object.score, object.box.minX, object.box.minY, object.box.maxX, object.box.maxY])
      put(object.mask) { wire, mask in
        wire.put(mask.width)
        wire.put(mask.height)
        wire.put(mask)
      }
      put(object.truth) { wire, box in
        wire.put([box.center.x, box.center.y, box.center.z, box.size.x, box.size.y, box.size.z, box.yaw])
      }
    }
  }

  mutating func put(_ output: DetectorOutput) {
    put(output.predictions)
    put(output.prototypes)
  }
}

extension WireReader {
  /// A frame of a scene: every array has the size that the scene's header says, or what is left of that.
  package mutating func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(MalformedMessage) -> DepthFrame {
    guard try get(Int.self) == index else { throw MalformedMessage() }
    let none = RasterSize(width: 0, height: 0)
    let reduction = arrays.contains(.reduced) ? FrameReduction(lidarSize: scene.lidarSize) : nil
    func size(_ map: RasterSize?) -> RasterSize? { reduction.map { map?.reduced(to: $0.mapLimit) } ?? map }
    let image =
      reduction.map { _ in scene.colourSize?.reduced(to: FrameReduction.imageLimit) } ?? scene.colourSize
    var frame = DepthFrame(
      index: index, lidar: try raster(arrays.contains(.lidar) ? scene.lidarSize ?? none : none))
    frame.confidence = try optional { (wire) throws(MalformedMessage) in try wire.raster(scene.lidarSize) }
    frame.relative = try optional { (wire) throws(MalformedMessage) in try wire.raster(scene.relativeSize) }
    frame.truth = try optional { (wire) throws(MalformedMessage) in try wire.raster(size(scene.truthSize)) }
    frame.intrinsics = try optional { (wire) throws(MalformedMessage) in
      let camera = CameraIntrinsics(
        fx: try wire.get(), fy: try wire.get(), cx: try wire.get(), cy: try wire.get(),
        imageSize: RasterSize(width: try wire.get(), height: try wire.get()))
      guard camera.isSensible else { throw MalformedMessage() }
      return camera
    }
    frame.worldFromCamera = try optional { (wire) throws(MalformedMessage) in
      let matrix: [Double] = try wire.array()
      guard matrix.count == 16, matrix.allSatisfy(\.isFinite) else { throw MalformedMessage() }
      return RigidTransform(rowMajor: matrix)
    }
    frame.timestampSeconds = try optional { (wire) throws(MalformedMessage) in try wire.get() }
    frame.image = try optional { (wire) throws(MalformedMessage) in try wire.image(image) }
    let count: Int = try get()
    guard count == (arrays.contains(.predictions) ? scene.predictions.count : 0)
    else { throw MalformedMessage() }
    for header in scene.predictions.prefix(count) {
      frame.predictions.append((header, try raster(size(header.size))))
    }
    frame.truthDeviation = try optional { (wire) throws(MalformedMessage) in
      try wire.raster(scene.truthSize)
    }
    for header in scene.predictions.prefix(count) {
      frame.certainties[header.name] = try optional { (wire) throws(MalformedMessage) in
        try wire.raster(header.size)
      }
    }
    try end()
    return frame
  }

  package mutating func objects(of scene: SceneHeader) throws(MalformedMessage) -> SceneObjects {
    var conventions = DetectionConventions()
    conventions.boxOrigin = try get(Int.self) == 0 ? .topLeft : .bottomLeft
    conventions.maskOrigin = try get(Int.self) == 0 ? .topLeft : .bottomLeft
    conventions.maskStride = try get()
    let count: Int = try get()
    guard (0...SchemaLimits.entries).contains(count),
      (1...SchemaLimits.maskPixels).contains(conventions.maskStride)
    else { throw MalformedMessage() }
    var objects: [DetectedObject] = []
    for _ in 0..<count {
      let (frame, label, numbers) = (try get(Int.self), try text(), try array(of: Float.self))
      guard (0..<scene.frameCount).contains(frame), numbers.count == 5 else { throw MalformedMessage() }
      var object = DetectedObject(
        frame: frame, label: label, score: numbers[0],
        box: PixelRectangle(minX: numbers[1], minY: numbers[2], maxX: numbers[3], maxY: numbers[4]))
      object.mask = try optional { (wire) throws(MalformedMessage) in try wire.mask() }
      object.truth = try optional { (wire) throws(MalformedMessage) in
        let box: [Double] = try wire.array()
        guard box.count == 7 else { throw MalformedMessage() }
        return OrientedBox(
          center: [box[0], box[1], box[2]], size: [box[3], box[4], box[5]], yaw: box[6])
      }
      objects.append(object)
    }
    try end()
    return SceneObjects(conventions: conventions, objects: objects)
  }

  mutating func mask() throws(MalformedMessage) -> Raster<Float> {
    let size = RasterSize(width: try get(), height: try get())
    let (pixels, isHuge) = size.width.multipliedReportingOverflow(by: size.height)
    guard size.width >= 0, size.height >= 0, !isHuge, pixels <= SchemaLimits.maskPixels
    else { throw MalformedMessage() }
    return try raster(size)
  }
}

extension CameraIntrinsics {
  /// Whether it is a camera that the schema allows.
  package var isSensible: Bool {
    [fx, fy, cx, cy].allSatisfy { $0.isFinite && abs($0) <= SchemaLimits.coordinate }
      && fx >= SchemaLimits.focalLength && fy >= SchemaLimits.focalLength
      && [imageSize.width, imageSize.height].allSatisfy { $0 >= 1 && Double($0) <= SchemaLimits.imageSide }
  }
}

extension SceneHeader {
  /// Whether what a reader says of a scene keeps to the schema's limits.
  package var isSensible: Bool {
    let sizes = [lidarSize, relativeSize, truthSize].compactMap(\.self) + predictions.map(\.size)
    return (0...SchemaLimits.entries).contains(frameCount)
      && sizes.allSatisfy { $0.isWithin(SchemaLimits.mapPixels) }
      && colourSize?.isWithin(SchemaLimits.imagePixels) ?? true && intrinsics?.isSensible ?? true
      && predictions.count <= SchemaLimits.predictions && frameIDs.map { $0.count == frameCount } ?? true
      && timestampsSeconds.map { $0.count == frameCount } ?? true
      && imageFrames.map { $0.allSatisfy((0..<max(frameCount, 1)).contains) } ?? true
      && detector?.isSensible ?? true
  }
}

extension RasterSize {
  package func isWithin(_ most: Int) -> Bool {
    let (pixels, isHuge) = width.multipliedReportingOverflow(by: height)
    return width >= 0 && height >= 0 && !isHuge && pixels <= most
  }
}

extension DetectorHead {
  fileprivate var isSensible: Bool {
    let counts = [classCount, coefficientCount, anchorCount]
    guard counts.allSatisfy({ (1...SchemaLimits.detectorNumbers).contains($0) }),
      prototypeSize.isWithin(SchemaLimits.detectorNumbers)
    else { return false }
    return rowCount <= SchemaLimits.detectorNumbers / anchorCount
      && prototypeSize.count <= SchemaLimits.detectorNumbers / coefficientCount
      && [inputSize.width, inputSize.height].allSatisfy { $0 >= 0 && Double($0) <= SchemaLimits.imageSide }
  }
}
