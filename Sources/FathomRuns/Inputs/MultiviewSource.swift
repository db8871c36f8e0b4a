import DepthCalibration
import DepthCore
import DepthDataset
import FathomStorage

/// A source whose truth is made from its own neighbouring frames: what a recording without a laser can be compared with.
final class MultiviewSource: FrameSource {
  let scenes: [SceneHeader]
  /// Scenes that have no such reference: they are without truth.
  let refusals: [(scene: String, failure: MultiviewFailure)]
  private let base: any FrameSource, references: [String: MultiviewReference]
  private struct Window {
    let scene: String
    var index: Int, frames: MultiviewWindow
    /// Frames behind it as they were read, where nothing else will be wanted of them.
    var whole: [Int: DepthFrame] = [:]
  }

  /// The frames around the one that was asked for last.
  private var window: Window?

  init(_ base: any FrameSource) {
    var references: [String: MultiviewReference] = [:]
    var refusals: [(scene: String, failure: MultiviewFailure)] = []
    var scenes: [SceneHeader] = []
    for scene in base.scenes {
      do throws(MultiviewFailure) {
        references[scene.name] = try MultiviewReference(scene)
        scenes.append(MultiviewReference.header(of: scene))
      } catch {
        refusals.append((scene.name, error))
        var header = scene
        (header.truthSize, header.truthIndependence) = (nil, .unknown)
        header.hasTruthDeviation = false
        scenes.append(header)
      }
    }
    (self.base, self.scenes, self.references, self.refusals) = (base, scenes, references, refusals)
  }

  var path: String { base.path }
  var issues: [SchemaIssue] { base.issues }
  var sources: SourceFiles { base.sources }
  var protections: [String]? { base.protections }

  func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(FathomError) -> DepthFrame {
    try frames([FrameRequest(index, arrays)], of: scene, threads: 1)[0]
  }

  /// Frames are read one after the other, and their references made at the same time.
  func frames(
    _ wanted: [FrameRequest], of scene: SceneHeader, threads: Int
  ) throws(FathomError) -> [DepthFrame] {
    let stored = base.scenes.first { $0.name == scene.name } ?? scene
    var read: [(frame: DepthFrame, around: [DepthFrame]?)] = []
    for request in wanted {
      guard request.arrays.contains(.truth), references[scene.name] != nil else {
        let arrays = request.arrays.subtracting(.truth)
        read.append((try base.frame(request.index, of: stored, including: arrays), nil))
        continue
      }
      let needed = request.arrays.subtracting(.truth).union([.lidar, .confidence, .camera])
      let around = try frames(around: request.index, of: stored, keepsWhole: stored.hasOnly(needed))
      let whole = window?.whole.removeValue(forKey: request.index)
      let frame =
        if let whole { whole } else { try base.frame(request.index, of: stored, including: needed) }
      read.append((frame, around))
    }
    let (found, reference) = (read, references[scene.name])
    return concurrentMap(wanted.count, threads: threads) { position in
      let (frame, around) = found[position]
      guard let around, let reference else { return frame }
      var made = reference.applied(to: frame, from: around)
      if !wanted[position].arrays.contains(.camera) { (made.intrinsics, made.worldFromCamera) = (nil, nil) }
      return made
    }
  }

  func batch(jobs: Int) -> Int { jobs }

  private func frames(
    around index: Int, of stored: SceneHeader, keepsWhole: Bool
  ) throws(FathomError) -> [DepthFrame] {
    let name = stored.name
    // It moves forwards only.
    let last = window.flatMap { $0.scene == name && index >= $0.index ? $0 : nil }
    var window =
      last ?? Window(scene: name, index: index, frames: MultiviewWindow(frameCount: stored.frameCount))
    window.index = index
    let around = try window.frames.frames(around: index) { (other) throws(FathomError) in
      let frame = try base.frame(other, of: stored, including: [.lidar, .confidence, .camera])
      if keepsWhole, other > index { window.whole[other] = frame }
      return frame
    }
    self.window = window
    return around
  }

  func objects(of scene: SceneHeader, includingMasks: Bool) throws(FathomError) -> SceneObjects? {
    try base.objects(of: scene, includingMasks: includingMasks)
  }

  func mask(ofObject index: Int, in scene: SceneHeader) throws(FathomError) -> Raster<Float>? {
    try base.mask(ofObject: index, in: scene)
  }

  func detectorOutput(frame index: Int, of scene: SceneHeader) throws(FathomError) -> DetectorOutput? {
    try base.detectorOutput(frame: index, of: scene)
  }
}

extension SceneHeader {
  /// Whether LiDAR, confidence and camera are all that it has of some arrays.
  fileprivate func hasOnly(_ arrays: FrameArrays) -> Bool {
    (relativeSize == nil || !arrays.contains(.relative)) && (colourSize == nil || !arrays.contains(.image))
      && (predictions.isEmpty || !arrays.contains(.predictions)) && !arrays.contains(.ids)
  }
}
