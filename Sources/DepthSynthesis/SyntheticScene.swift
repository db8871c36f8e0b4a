public import DepthCore
public import DepthDataset

/// One simulated scene: a room, a camera path through it, and the sensors that look.
///
/// Every frame is exact geometry by ray casting, seen by a simulated LiDAR, a simulated monocular network
/// and a simulated detector. Random values come from the seed and the names of scene, frame and
/// purpose, so frames may be made in any order, at the same time, or again.
///
/// Not modelled: multipath, mirrors, sunlight, the LiDAR's limited range, rolling shutter and lens distortion, errors of
/// intrinsics, shadows and exposure in the colours, round or slanted shapes other than cylinders, false and missed
/// detections, masks that leak; and outside the zoo (``SynthesisOptions/drawsSensors``) time-correlated LiDAR errors, glass,
/// errors of pose and time, networks that misjudge an object as a whole.
public struct SyntheticScene: Sendable {
  /// What the data set records about the scene.
  public let header: SceneHeader
  private let options: SynthesisOptions, stage: SceneStage, lidar: LidarModel, network: NetworkModel
  private let detector: DetectorModel
  /// Frames, at most, that the confidence levels are calibrated on, and the share of their pixels.
  private static let (calibrationFrames, calibrationStride) = (16, 5)

  /// Builds the room and calibrates the LiDAR.
  /// - Precondition: `index` is below `options.sceneCount` and there is at least one frame.
  public init(options: SynthesisOptions, index: Int) {
    precondition(index >= 0 && index < options.sceneCount, "a scene of the data set")
    precondition(options.framesPerScene > 0, "a scene has frames")
    let draw = options.drawsSensors ? Self.draw(options, index) : nil
    let options = draw?.applied(to: options) ?? options
    let kind = options.networks.isEmpty ? .disparity : options.networks[index % options.networks.count]
    let stage = SceneStage(named: Self.name(options, index), options: options, draw: draw)
    (self.options, self.stage) = (options, stage)
    network = NetworkModel(kind, options: options, cycles: draw?.network.cycles ?? 2.5)
    detector = DetectorModel(stage.room, imageSize: options.imageSize, hasMasks: options.hasMasks)
    let frames = min(options.framesPerScene, Self.calibrationFrames)
    let samples = (0..<frames).flatMap { step in
      stage.exposure(step * options.framesPerScene / frames).samples(stride: Self.calibrationStride)
    }
    lidar = LidarModel(calibratedOn: samples, options: options, draw: draw?.lidar)
    header = Self.header(options, stage: stage, network: kind, draw)
  }

  /// One frame with everything that the header promises.
  /// - Precondition: `index` is a frame of the scene.
  public func frame(_ index: Int) -> DepthFrame {
    precondition(index >= 0 && index < options.framesPerScene, "a frame of the scene")
    var (lidarDraws, networkDraws) = (stage.stream(index, "returns"), stage.stream(index, "network"))
    let returns = options.highConfidenceReturns
    let maps = lidar.maps(
      stage.exposure(index), highConfidenceReturns: returns.isEmpty ? nil : returns[index % returns.count],
      using: &lidarDraws)
    let relative = network.map(
      of: stage.caster(index, options.relativeSize).depthMap(),
      misjudged: stage.misjudgement(index, options.relativeSize), using: &networkDraws)
    return DepthFrame(
      index: index, lidar: maps.depth, confidence: maps.confidence, relative: relative,
      truth: stage.caster(index, options.truthSize).depthMap(), intrinsics: stage.camera,
      worldFromCamera: stage.recordedPose(index), image: stage.image(index, options.colourSize))
  }

  /// The detections of every frame, frame by frame, with the true boxes of the furniture.
  public func objects() -> SceneObjects {
    let objects = (0..<options.framesPerScene).flatMap { index in
      var generator = stage.stream(index, "detector")
      return detector.detections(
        stage.caster(index, detector.searchSize), frame: index, using: &generator)
    }
    return SceneObjects(conventions: DetectorModel.conventions, objects: objects)
  }

  private static func name(_ options: SynthesisOptions, _ index: Int) -> String {
    let number = String(index + 1), zeros = String(repeating: "0", count: max(0, 2 - number.count))
    return (options.drawsSensors ? "zoo" : options.setting.rawValue) + "-" + zeros + number
  }

  private static func draw(_ options: SynthesisOptions, _ index: Int) -> SensorDraw {
    var generator = SplitMix64(seed: options.seed, stream: name(options, index), "sensors")
    return SensorDraw(using: &generator)
  }

  private static func header(
    _ options: SynthesisOptions, stage: SceneStage, network: SyntheticNetwork, _ draw: SensorDraw?
  ) -> SceneHeader {
    var header = SceneHeader(name: stage.name, frameCount: options.framesPerScene)
    header.timestampsSeconds = (0..<options.framesPerScene).map(stage.seconds)
    header.device = "simulated phone"
    header.note = "simulated: exact depth by ray casting, seed \(options.seed)"
    if let draw { header.note? += "; " + draw.note }
    (header.lidarSize, header.hasConfidence) = (options.lidarSize, true)
    (header.relativeSize, header.relativeKind) = (options.relativeSize, network.kind)
    header.relativeModel = "simulated-\(network.rawValue)"
    (header.truthSize, header.truthIndependence) = (options.truthSize, .render)
    header.intrinsics = stage.camera
    (header.hasPoses, header.cameraConvention) = (true, .arkit)
    header.colourSize = options.colourSize
    return header
  }
}
