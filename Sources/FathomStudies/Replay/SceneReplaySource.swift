import FathomRuns
import DepthCore
import FathomPlainText
import DepthDataset
import DepthEvaluation
import DepthObjects
import FathomReplay
import FathomStorage

/// A scene that is replayed: its path, and what its frames show, read once each and when it is needed.
final class SceneReplaySource {
  let name: String, header: SceneHeader, reader: any FrameSource, path: RecordedPath
  let kind: ReplayRun.TargetKind?
  private let first: Int, anchor: PlacementAnchor, objects: SceneObjects?
  private let positions: [Int: [Int]]  // Positions of the stored detections by frame.
  private var known: [Int: [ReplayTarget]] = [:]
  private static let mostFrames = 2_000_000.0  // More frames than this are a slip of rate or time axis.

  /// Why a scene is none to replay; nil where it may be one.
  static func unsuitability(of header: SceneHeader, frames: Range<Int>) -> String? {
    header.timestampsSeconds == nil
      ? "it has no time stamps, so nothing says how its frames follow"
      : frames.count < 2 ? "a replay needs two frames or more" : nil
  }

  /// - Parameter frames: Of the scene, those that count.
  /// - Parameter fastest: Frames per second of the camera.
  /// - Throws: `FathomError` where the scene has no time axis or cannot be read.
  init(
    _ context: SceneContext, _ reader: any FrameSource, anchor: PlacementAnchor, frames: Range<Int>,
    fastest: Double
  ) throws(FathomError) {
    (name, header, self.reader) = (context.name, context.header, reader)
    (self.anchor, first) = (anchor, frames.lowerBound)
    let header = context.header
    func fault(_ object: String, _ reason: String, _ advice: Wording) -> FathomError {
      FathomError(
        .badData, attempted: "replay the scene", file: reader.path, object: "scenes/\(header.name)\(object)",
        reason: "\(reason)", advice: advice)
    }
    var cameras: [PosedCamera?] = []
    for index in frames {
      let frame = header.hasPoses ? try reader.frame(index, of: header, including: .camera) : nil
      cameras.append(frame.flatMap { PosedCamera(of: $0, in: header) })
    }
    do throws(PathFault) {
      path = try RecordedPath(
        seconds: header.timestampsSeconds.map { Array($0[frames]) }, cameras: cameras)
    } catch {
      switch error {
      case .oneFrame, .noTimes:
        let reason = Self.unsuitability(of: header, frames: frames) ?? "it has no way to follow"
        throw fault("", reason, "choose other scenes with \(option: "scenes")")
      case .timeGoesBack(let frame):
        throw fault(
          "/time", "frame \(first + frame) is not later than the frame before it", "correct the time stamps")
      case .tooLong(let seconds):
        throw fault("/time", "it lasts \(Int(seconds)) s, more than a day", "store seconds")
      }
    }
    guard Double(path.duration) / 1e9 * fastest <= Self.mostFrames else {
      throw fault(
        "", "that would be more than \(Int(Self.mostFrames)) frames of the camera",
        "choose fewer frames with \(option: "frames"), or a lower \(option: "rate")")
    }
    objects = try reader.objects(of: header, includingMasks: false)
    let detections = objects?.objects ?? []
    positions = Dictionary(grouping: detections.indices) { detections[$0].frame }
    if !path.hasPoses || header.lidarSize == nil {
      kind = nil
    } else {
      kind = detections.isEmpty && header.detector == nil ? .tap : .objects
    }
  }

  var source: ReplayRun.Source { ReplayRun.Source(name: name, path: path, targets: kind) }
  /// Whether the app would look at a frame: where poses are known at all, its own must be.
  func isTracked(at time: Int) -> Bool { !path.hasPoses || path.camera(at: time) != nil }
  /// Frame of the scene.
  func index(_ recorded: Int) -> Int { first + recorded }

  /// What effects are placed on in a recorded frame.
  func targets(_ recorded: Int) throws(FathomError) -> [ReplayTarget] {
    guard let kind, let camera = path.cameras[recorded] else { return [] }
    if let known = known[recorded] { return known }
    var frame = try reader.frame(
      index(recorded), of: header, including: [.lidar, .confidence, .camera, .truth])
    frame.truth = frame.truth?.resampledNearest(to: frame.lidar.size)
    let found: [ReplayTarget]
    switch kind {
    case .tap: found = ReplayTarget.tap(in: frame, camera: camera).map { [$0] } ?? []
    case .objects:
      let (objects, conventions) = try detections(recorded, camera)
      found = ReplayTarget.targets(
        objects, conventions: conventions, in: frame, camera: camera, anchor: anchor)
    }
    known[recorded] = found
    return found
  }

  /// What was looked at so far, in the order of the frames.
  var knownTargets: [(recorded: Int, target: ReplayTarget)] {
    known.keys.sorted().flatMap { recorded in (known[recorded] ?? []).map { (recorded, $0) } }
  }

  /// The sure detections of a frame: stored ones, else decoded ones.
  func detections(
    _ recorded: Int, _ camera: PosedCamera
  ) throws(FathomError) -> (objects: [(index: Int, object: DetectedObject)], DetectionConventions) {
    let options = DecodingOptions()
    if let objects, !objects.objects.isEmpty {
      var found: [(index: Int, object: DetectedObject)] = []
      for position in positions[index(recorded)] ?? [] {
        var object = objects.objects[position]
        guard object.score > options.confidenceThreshold else { continue }
        object.mask = try reader.mask(ofObject: position, in: header)
        object.truth = object.truth?.upright(from: header.upAxis)
        found.append((position, object))
      }
      return (found, objects.conventions)
    }
    guard let output = try reader.detectorOutput(frame: index(recorded), of: header) else {
      return ([], DetectionConventions())
    }
    let decoded = DetectionDecoder(
      imageSize: camera.intrinsics.imageSize, classNames: header.detector?.classNames ?? [], options: options
    ).detections(in: output, frame: index(recorded))
    return (decoded.objects.enumerated().map { ($0.offset, $0.element) }, decoded.conventions)
  }
}
