import DepthCore
import DepthObjects

/// Measures objects under every combination of flips; ``FlipCost`` judges them.
struct FlipGauge {
  let scene: SceneHeader, conventions: DetectionConventions, seed: UInt64
  private let frames: [Int: (frame: DepthFrame, depth: LogDepth)], otherFrames: OtherFrames

  init(_ scene: SceneHeader, _ frames: [DepthFrame], _ conventions: DetectionConventions, seed: UInt64) {
    (self.scene, self.conventions, self.seed) = (scene, conventions, seed)
    self.frames = Dictionary(
      frames.map { ($0.index, ($0, LogDepth($0))) }, uniquingKeysWith: { first, _ in first })
    otherFrames = OtherFrames(frames, of: scene)
  }

  /// One measurement per combination; nil where the object's frame is not at hand or has no camera.
  func measurements(of object: DetectedObject) -> [FlipMeasurement]? {
    guard let (frame, depth) = frames[object.frame], let intrinsics = frame.intrinsics, object.box.isFinite
    else { return nil }
    let combinations = ObjectFlips.combinations
    let truth = PosedCamera(of: frame, in: scene).flatMap { camera in
      object.truth.map { TrueBox($0, seenBy: camera) }
    }
    let depths = Self.depths(of: object, in: frame, intrinsics.imageSize, conventions)
    // The third flip moves points, and changes no depth.
    let byDepths = depths.map { depths -> FlipMeasurement in
      var measurement = FlipMeasurement()
      guard let depths else { return measurement }
      measurement.addDepths(depths, mapHeight: frame.lidar.height, intrinsics, truth)
      if object.mask != nil { measurement.isMasked = depths.isMasked }
      return measurement
    }
    var measurements = combinations.map { flips -> FlipMeasurement in
      var measurement = byDepths[Self.key(flips)]
      measurement.flips = flips.id
      if let depths = depths[Self.key(flips)], let truth {
        measurement.addPoints(
          ObjectPoints(depths, mapSize: frame.lidar.size, camera: truth.camera, flips: flips), truth,
          seed: seed)
      }
      return measurement
    }
    place(object, depth, intrinsics.imageSize, truth, in: &measurements)
    if let carried = otherFrames.disagreement(of: Self.pixels(depths, frame.lidar.size), in: frame) {
      for (index, flips) in combinations.enumerated() {
        measurements[index].otherFramesDisagreement = flips.depthToImage ? carried.flipped : carried.unflipped
      }
    }
    return measurements
  }

  /// What box and mask say by where they lie, without the depths under them.
  private func place(
    _ object: DetectedObject, _ depth: LogDepth, _ imageSize: RasterSize, _ truth: TrueBox?,
    in measurements: inout [FlipMeasurement]
  ) {
    let inBox = MaskInBox(object, conventions, imageSize: imageSize)
    let outline = MaskOutline(of: object, conventions, on: depth.size, imageSize: imageSize)
    let boxes = [object.box, object.box.flipped(imageHeight: imageSize.height)]
    let edges = [false, true].map { outline?.shareOnEdges(depth, turned: $0) }
    let nearness = boxes.map { BoxContrast.nearness(depth, $0, imageSize: imageSize) }
    for (index, flips) in ObjectFlips.combinations.enumerated() {
      let isSame = flips.boxToDepth == flips.depthToMask
      measurements[index].maskInBox = isSame ? inBox?.sameOrigin : inBox?.otherOrigin
      measurements[index].outlineOnEdges = edges[flips.depthToMask ? 1 : 0]
      measurements[index].boxNearness = nearness[flips.boxToDepth ? 1 : 0]
      measurements[index].boxInTrueImage = truth?.share(of: boxes[flips.boxToDepth ? 1 : 0], flips)
    }
  }

  /// The object's depths by the first two flips; nil where there are none.
  private static func depths(
    of object: DetectedObject, in frame: DepthFrame, _ imageSize: RasterSize,
    _ conventions: DetectionConventions
  ) -> [ObjectDepths?] {
    let mask = ErodedMask(
      of: object, imageSize: imageSize, conventions: conventions, options: ObjectOptions())
    return (0..<4).map { key in
      var options = ObjectOptions()
      options.flips = RowFlips(boxToDepth: key & 1 != 0, depthToMask: key & 2 != 0)
      return try? ObjectDepths(
        of: object, in: frame.lidar, confidence: frame.confidence, imageSize: imageSize,
        conventions: conventions, options: options, mask: mask)
    }
  }

  private static func key(_ flips: RowFlips) -> Int {
    (flips.boxToDepth ? 1 : 0) + (flips.depthToMask ? 2 : 0)
  }

  /// Every pixel that some combination gives the object, ascending.
  private static func pixels(_ depths: [ObjectDepths?], _ size: RasterSize) -> [Int] {
    var isTaken = [Bool](repeating: false, count: size.count)
    for depths in depths {
      for sample in depths?.samples ?? [] { isTaken[sample.row * size.width + sample.column] = true }
    }
    return isTaken.indices.filter { isTaken[$0] }
  }
}
