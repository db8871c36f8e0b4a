import DepthCore
import DepthDataset
import FathomStorage

/// What is made of the maps of a ``Ledger`` before they are scored.
struct MapAdjustment: Sendable, Hashable {
  /// What the first prediction of every scene becomes.
  enum Role: Sendable, Hashable {
    case prediction
    case lidar  // A LiDAR, for the methods that start from one.
    /// Reduced by a factor (1 for not), then brought to the truth's size.
    case bicubic(BicubicResize, reduction: Int)
  }

  var role = Role.prediction
  var scale: Float = 1  // Metres of one count of the prediction.
  /// Whether the prediction covers the truth's first rows and columns alone: the rest of the truth does not count.
  var coversCorner = false
}

/// A source of maps whose first prediction is scaled, cut to, or takes another role.
final class AdjustedMapSource: FrameSource {
  let scenes: [SceneHeader]
  private let base: any FrameSource, adjustment: MapAdjustment

  /// - Throws: `FathomError` `.badData` where sizes do not fit.
  init(_ base: any FrameSource, _ adjustment: MapAdjustment) throws(FathomError) {
    (self.base, self.adjustment) = (base, adjustment)
    var scenes: [SceneHeader] = []
    for var scene in base.scenes {
      func failure(_ reason: String, _ advice: String) -> FathomError {
        FathomError(
          .badData, attempted: "score scene '\(scene.name)'", file: base.path, reason: reason, advice: advice)
      }
      guard var stored = scene.predictions.first, let truth = scene.truthSize else {
        throw failure("it has no truth", "check the ledger's files")
      }
      if adjustment.coversCorner {
        guard stored.size.width <= truth.width, stored.size.height <= truth.height else {
          throw failure(
            "its prediction has \(stored.size) pixels, its truth \(truth)",
            "remove 'covers: corner', or give a prediction that is not larger than the truth")
        }
        scene.truthSize = stored.size
      }
      switch adjustment.role {
      case .prediction: scene.predictions = [stored]
      case .lidar: (scene.lidarSize, scene.predictions) = (stored.size, [])
      case .bicubic(_, let factor):
        guard stored.size.width % factor == 0, stored.size.height % factor == 0 else {
          throw failure(
            "\(stored.size) pixels are not a multiple of 'reduce: \(factor)'", "cut the map to a multiple")
        }
        stored.size = scene.truthSize ?? truth
        scene.predictions = [stored]
      }
      scenes.append(scene)
    }
    self.scenes = scenes
  }

  var path: String { base.path }
  var issues: [SchemaIssue] { base.issues }
  var sources: SourceFiles { base.sources }
  var protections: [String]? { base.protections }

  func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(FathomError) -> DepthFrame {
    let stored = base.scenes.first { $0.name == scene.name } ?? scene
    var needed = arrays.subtracting(.lidar)
    if arrays.contains(.lidar) { needed.insert(.predictions) }
    var frame = try base.frame(index, of: stored, including: needed)
    if adjustment.coversCorner, let size = scene.truthSize { frame.truth = frame.truth?.corner(size) }
    frame.truthDeviation = nil
    guard var (header, map) = frame.predictions.first else { return frame }
    (frame.predictions, frame.deviations) = ([], [:])
    if adjustment.scale != 1 { map.values = map.values.map { adjustment.scale * $0 } }
    switch adjustment.role {
    case .lidar:
      if arrays.contains(.lidar) { frame.lidar = map }
      return frame
    case .prediction: break
    case .bicubic(let resize, let factor):
      let reduced = RasterSize(width: map.width / factor, height: map.height / factor)
      if factor > 1 { map = resize.resized(map, to: reduced) }
      map = resize.resized(map, to: scene.truthSize ?? map.size)
      header.size = map.size
    }
    if arrays.contains(.predictions) { frame.predictions = [(header, map)] }
    return frame
  }

  func objects(of scene: SceneHeader, includingMasks: Bool) -> SceneObjects? { nil }
  func mask(ofObject index: Int, in scene: SceneHeader) -> Raster<Float>? { nil }
  func detectorOutput(frame index: Int, of scene: SceneHeader) -> DetectorOutput? { nil }
}

extension DepthMap {
  /// Its first rows and columns.
  fileprivate func corner(_ size: RasterSize) -> DepthMap {
    DepthMap(
      width: size.width, height: size.height,
      values: (0..<size.height).flatMap { values[$0 * width..<$0 * width + size.width] })
  }
}
