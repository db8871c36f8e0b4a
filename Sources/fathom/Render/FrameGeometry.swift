import DepthDataset
import DepthExport
import DepthFusion
import DepthGraphics
import DepthObjects

/// What of a frame is drawn.
struct GeometryOptions {
  var source = DepthSource.lidar
  /// nil where the user did not say: every point, and for boxes the specification's.
  var minimumConfidence: UInt8?
  var depthRange: ClosedRange<Double>?
  var boxes: [BoxChoice] = []
  var drawsPoints = true
  var seed: UInt64 = 0
}

/// Turns frames of one scene into points and boxes.
struct FrameGeometry {
  let options: GeometryOptions
  let scene: SceneHeader
  private let objects: SceneObjects?
  private let fused: FusedDepth?

  /// Depths that the colours of a frame without image span unless the user gives others, metres (domain §6).
  private static let rampRange = 0.5...5.0

  /// - Throws: `DatasetError`.
  init(
    _ options: GeometryOptions, of scene: SceneHeader, from reader: borrowing DatasetReader
  ) throws(DatasetError) {
    (self.options, self.scene) = (options, scene)
    objects = options.boxes.isEmpty ? nil : try reader.objects(of: scene)
    if case .fused(let method) = options.source {
      fused = try FusedDepth(method, of: scene, from: reader, seed: options.seed)
    } else {
      fused = nil
    }
  }

  /// A frame's points and boxes, and in words which objects have no box.
  ///
  /// - Throws: `DatasetError` `.badData` where the frame lacks intrinsics or the source.
  func spatialScene(
    _ index: Int, from reader: borrowing DatasetReader
  ) throws(DatasetError) -> (scene: SpatialScene, omissions: [String]) {
    var arrays: FrameArrays = fused == nil ? [.lidar, .confidence, .camera] : FusedDepth.arrays
    if options.source == .truth { arrays.insert(.truth) }
    if options.drawsPoints { arrays.insert(.image) }
    let frame = try reader.frame(index, of: scene, including: arrays)
    guard let intrinsics = frame.intrinsics else {
      throw missing(
        "camera/intrinsics", "there are none, so no pixel has a direction", "add the camera's", frame,
        reader.path)
    }
    let depth = try depthMap(of: frame, from: reader)
    // Without a pose the camera's own axes are the world.
    let posed = PosedCamera(of: frame, in: scene)
    let camera = posed ?? PosedCamera(intrinsics, .identity, .arkit)
    var result = SpatialScene(posed == nil ? .camera : .world)
    if options.drawsPoints { result.points = points(of: frame, depth, camera) }
    var omissions: [String] = []
    if let objects {
      let boxes = ObjectBoxes(options, scene: scene, objects: objects)
      (result.groups, omissions) = boxes.groups(in: frame, depth, camera, isWorld: posed != nil)
    }
    return (result, omissions)
  }

  private func depthMap(
    of frame: DepthFrame, from reader: borrowing DatasetReader
  ) throws(DatasetError) -> DepthMap {
    if let fused { return try fused.map(of: frame, from: reader) }
    guard options.source == .truth else { return frame.lidar }
    guard let truth = frame.truth else {
      throw missing("truth/depth", "there is none", "choose another --source", frame, reader.path)
    }
    return truth
  }

  private func missing(
    _ array: String, _ reason: String, _ advice: String, _ frame: DepthFrame, _ file: String
  ) -> DatasetError {
    DatasetError(
      .badData, attempted: "render frame \(scene.frameID(frame.index))", file: file,
      object: "scenes/\(scene.name)/\(array)", reason: reason, advice: advice)
  }

  private func points(of frame: DepthFrame, _ depth: DepthMap, _ camera: PosedCamera) -> PointCloud {
    let selection = PointCloud.Selection(
      minimumConfidence: options.minimumConfidence ?? 0, depthRange: options.depthRange)
    return PointCloud(
      of: depth, seenBy: camera, confidence: frame.confidence, selection,
      colouring: frame.image.map { .image($0) } ?? ramp)
  }

  /// Turbo from near to far.
  private var ramp: PointCloud.Colouring {
    var range = Self.rampRange
    if let limits = options.depthRange {
      range = limits.lowerBound...(limits.upperBound.isFinite ? limits.upperBound : max(5, limits.lowerBound))
    }
    let scale = ColourScale(.turbo, range: range, label: "depth", unit: "m")
    return .depth { scale.colour(of: $0) ?? RGB(red: 0, green: 0, blue: 0) }
  }
}
