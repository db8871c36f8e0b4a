import FathomPlainText
import FathomDrawingScales
import FathomStorage
import DepthCore
import DepthDataset
import DepthExport
import DepthFusion
import DepthGraphics
import DepthObjects

/// What of a frame is drawn.
public struct GeometryOptions: Sendable {
  var source = DepthSource.lidar  // Whose depth.
  /// nil where the user did not say: every point, and for boxes the specification's.
  public var minimumConfidence: UInt8?
  /// Depths that count, metres; nil for all.
  public var depthRange: ClosedRange<Double>?
  var boxes: [BoxChoice] = [], drawsPoints = true
  /// Of points where the user did not say; boxes have their own.
  var pointConfidence: UInt8?
  var voxel = 0.0  // Edge of the cubes that keep one point each, metres; 0 for all points.
  /// Of methods that draw at random.
  public var seed: UInt64 = 0
  public init() {}

  /// Which depths of an object count: as specified, but for what the user said.
  var objectOptions: ObjectOptions {
    var chosen = ObjectOptions()
    if let depthRange { chosen.depthRange = Float(depthRange.lowerBound)...Float(depthRange.upperBound) }
    // The specification's threshold is about the LiDAR's returns; other maps have no confidence of their own.
    chosen.minimumConfidence = minimumConfidence ?? (source == .lidar ? chosen.minimumConfidence : 0)
    return chosen
  }
}

/// Turns frames of one scene into points and boxes.
struct FrameGeometry {
  let options: GeometryOptions, scene: SceneHeader
  private let objects: SceneObjects?, source: SourceDepth
  /// Depths that the colours of a frame without image span unless the user gives others, metres (domain §6).
  private static let rampRange = 0.5...5.0

  init(
    _ options: GeometryOptions, of scene: SceneHeader, from reader: borrowing some FrameSource & ~Copyable
  ) throws(FathomError) {
    (self.options, self.scene) = (options, scene)
    objects = options.boxes.isEmpty ? nil : try reader.objects(of: scene)
    source = try SourceDepth(options.source, of: scene, from: reader, seed: options.seed)
  }

  /// Of the frames before each one that the depth depends on.
  var history: FrameHistory { source.history }

  /// A frame's points and boxes, and in words which objects have no box.
  /// - Throws: `FathomError` `.badData` where the frame lacks intrinsics or the source.
  func spatialScene(
    _ index: Int, from reader: borrowing some FrameSource & ~Copyable, after history: inout FrameHistory
  ) throws(FathomError) -> (scene: SpatialScene, omissions: [String]) {
    var arrays = source.arrays
    if options.drawsPoints { arrays.insert(.image) }
    let (frame, before) = try reader.frame(index, of: scene, including: arrays, after: &history)
    guard let intrinsics = frame.intrinsics else {
      throw scene.lacks(
        "camera/intrinsics", "there are none, so no pixel has a direction", "add the camera's",
        frame: frame.index, reader.path)
    }
    let depth = try source.map(of: frame, after: before, file: reader.path).depth
    // Without a pose the camera's own axes are the world.
    let posed = PosedCamera(of: frame, in: scene)
    let camera = posed ?? PosedCamera(intrinsics, .identity, .arkit)
    var result = SpatialScene(posed == nil ? .camera : .world)
    if options.drawsPoints { result.points = points(of: frame, depth, camera) }
    var omissions: [String] = []
    if let objects {
      let boxes = ObjectBoxes(options: options, scene: scene, objects: objects)
      (result.groups, omissions) = boxes.groups(in: frame, depth, camera, isWorld: posed != nil)
    }
    return (result, omissions)
  }

  private func points(of frame: DepthFrame, _ depth: DepthMap, _ camera: PosedCamera) -> PointCloud {
    let selection = PointCloud.Selection(
      minimumConfidence: options.minimumConfidence ?? options.pointConfidence ?? 0,
      depthRange: options.depthRange)
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
