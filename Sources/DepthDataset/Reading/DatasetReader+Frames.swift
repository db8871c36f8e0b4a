import FathomPlainText
public import DepthCore
internal import FathomHDF5
public import FathomStorage

extension DatasetReader {
  /// Reads one frame: depth in metres and planar, whatever the file holds.
  /// - Parameter index: From 0.
  /// - Parameter scene: A scene of this file.
  /// - Parameter arrays: What to read; what is not listed or absent is nil, and `lidar` is then 0×0.
  /// - Throws: `FathomError` `.badData` if the frame does not exist, an array cannot be decompressed, a matrix
  ///   is not a camera, a confidence is not 0, 1 or 2, or the scene of version 1 or 2 has no usable LiDAR (lenient mode only).
  public func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays = .fusion
  ) throws(FathomError) -> DepthFrame {
    let attempted = "read frame \(index) of scene '\(scene.name)'"
    let layout = try layout(of: scene, attempted)
    let header = scenes.first { $0.name == scene.name }
    let known = header?.frameCount ?? 0
    guard (0..<known).contains(index) else {
      throw FathomError(
        .badData, attempted: attempted, file: path, object: "scenes/\(scene.name)",
        reason: "it has \(known) frames", advice: "count frames from 0")
    }
    let isRead = FrameRead(index: index, scene: scene.name, attempted: attempted)
    let camera = try intrinsics(layout, isRead)
    var frame = DepthFrame(index: index, lidar: DepthMap(width: 0, height: 0, values: []))
    if let times = header?.timestampsSeconds, times.indices.contains(index) {
      frame.timestampSeconds = times[index]
    }
    if arrays.contains(.lidar) {
      if let lidar = layout.lidar {
        frame.lidar = try depth(lidar, camera, isRead)
      } else if schemaVersion < Self.versionWithoutLidar {
        throw FathomError(
          .badData, attempted: attempted, file: path, object: "scenes/\(scene.name)/lidar/depth",
          reason: "there is no usable LiDAR depth", advice: "see what fathom inspect reports")
      }
    }
    if arrays.contains(.confidence), let images = layout.confidence {
      frame.confidence = try confidence(images, isRead)
    }
    if arrays.contains(.relative), let images = layout.relative {
      frame.relative = Raster(images.size, try values(images.path, isRead))
    }
    if arrays.contains(.truth), let truth = layout.truth {
      frame.truth = try depth(truth, camera, isRead)
      frame.truthDeviation = try layout.truthDeviation.map { (deviation) throws(FathomError) in
        try depth(deviation, camera, isRead)
      }
    }
    if arrays.contains(.image), let images = layout.image {
      var place = isRead
      place.index = layout.imagePositions.map { $0[index] ?? -1 } ?? index
      if place.index >= 0 { frame.image = try image(images, place) }
    }
    if arrays.contains(.predictions) {
      for stored in layout.predictions {
        let map = Raster(stored.images.size, try values(stored.images.path, isRead) as [Float])
        frame.predictions.append((stored.header, map))
        guard let certainty = stored.certainty else { continue }
        let numbers: [Float] = try values(certainty.path, isRead)
        let least: Float = stored.header.hasDeviation ? .leastNonzeroMagnitude : -.greatestFiniteMagnitude
        frame.certainties[stored.header.name] = Raster(
          certainty.size, numbers.map { $0 >= least && $0.isFinite ? $0 : .nan })
      }
    }
    if arrays.contains(.camera) {
      frame.intrinsics = camera
      if let poses = layout.poses {
        let matrix: [Double] = try values(poses, isRead)
        let isTransposed = scene.storesTransposed.contains(.poses)
        // Not a number where tracking was lost: there is no pose then.
        if matrix.allSatisfy(\.isFinite) {
          frame.worldFromCamera = RigidTransform(
            rowMajor: isTransposed ? (0..<16).map { matrix[$0 % 4 * 4 + $0 / 4] } : matrix)
        }
      }
    }
    return frame
  }

  /// Which frame is being read, and the words for it in an error.
  struct FrameRead {
    var index: Int, scene: String, attempted: String
  }

  func values<Element: HDF5Scalar>(_ object: String, _ read: FrameRead) throws(FathomError) -> [Element] {
    do throws(HDF5Error) {
      return try arrays.reader(of: object, in: read.scene, file).read(at: read.index)
    } catch { throw FathomError(error, attempted: read.attempted, file: path, object: object) }
  }

  private func depth(
    _ layout: SceneLayout.Depth, _ camera: CameraIntrinsics?, _ read: FrameRead
  ) throws(FathomError) -> DepthMap {
    var numbers: [Float] = try values(layout.path, read)
    if layout.metresPerUnit != 1 {
      for index in numbers.indices { numbers[index] = Float(Double(numbers[index]) * layout.metresPerUnit) }
    }
    // What is not finite is missing to everybody who looks at depth.
    for index in numbers.indices where numbers[index] > SchemaLimits.depth { numbers[index] = .infinity }
    let map = Raster(layout.size, numbers)
    guard layout.kind == .distance, let camera else { return map }
    return map.planarDepth(fromRayLengthsSeenBy: camera)
  }

  private func confidence(
    _ layout: SceneLayout.Images, _ read: FrameRead
  ) throws(FathomError) -> Raster<UInt8> {
    let map = Raster<UInt8>(layout.size, try values(layout.path, read))
    // Who reads leniently wants to see what is there.
    if validation == .strict, let wrong = map.values.first(where: { $0 > 2 }) {
      throw FathomError(
        .badData, attempted: read.attempted, file: path, object: layout.path,
        reason: "it holds the confidence \(wrong)", advice: "store 0 low, 1 medium, 2 high")
    }
    return map
  }

  private func image(_ layout: SceneLayout.Images, _ read: FrameRead) throws(FathomError) -> Raster<RGB> {
    let bytes: [UInt8] = try values(layout.path, read)
    let pixels = [RGB](unsafeUninitializedCapacity: layout.size.count) { pixels, count in
      for index in 0..<layout.size.count {
        pixels.initializeElement(
          at: index, to: RGB(red: bytes[3 * index], green: bytes[3 * index + 1], blue: bytes[3 * index + 2]))
      }
      count = layout.size.count
    }
    return Raster(layout.size, pixels)
  }

  private func intrinsics(_ layout: SceneLayout, _ read: FrameRead) throws(FathomError) -> CameraIntrinsics? {
    guard let intrinsics = layout.intrinsics else { return nil }
    if let shared = intrinsics.shared { return shared }
    let stored: [Double] = try values(intrinsics.path, read)
    let matrix = intrinsics.isTransposed ? IntrinsicsMatrix.transposed(stored) : stored
    switch IntrinsicsMatrix.interpret(matrix, imageSize: intrinsics.imageSize) {
    case .success(let camera): return camera
    case .failure(let fault):
      throw FathomError(
        .badData, attempted: read.attempted, file: path, object: intrinsics.path, reason: "\(fault.problem)",
        advice: fault.advice)
    }
  }
}

extension Raster {
  init(_ size: RasterSize, _ values: [Element]) {
    self.init(width: size.width, height: size.height, values: values)
  }
}
