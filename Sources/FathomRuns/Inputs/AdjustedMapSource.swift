package import DepthCore
package import DepthDataset
package import DepthFusion
import FathomPlainText
package import FathomStorage

/// What is made of the maps of a ledger before they are scored.
package struct MapAdjustment: Sendable, Hashable {
  /// What the first prediction of every scene becomes.
  package enum Role: Sendable, Hashable {
    case prediction
    case lidar  // A LiDAR, for the methods that start from one.
    /// Reduced by a factor (1 for not), then brought to the truth's size, then filtered with the image as guide.
    case upsampled(BicubicResize, reduction: Int, GuidedFilter?)
  }

  package var role = Role.prediction
  package var scale: Float = 1  // Metres of one count of the prediction.
  /// Whether the prediction covers the truth's first rows and columns alone: the rest of the truth does not count.
  package var coversCorner = false
  /// Whether the truth covers the middle of a larger image: the rest of the image is cut away.
  package var cutsImages = false
  package init() {}
}

/// A source of maps whose first prediction is scaled, cut to, or takes another role.
package final class AdjustedMapSource: FrameSource {
  package let scenes: [SceneHeader]
  private let base: any FrameSource, adjustment: MapAdjustment

  /// - Throws: `FathomError` `.badData` where sizes do not fit.
  package init(_ base: any FrameSource, _ adjustment: MapAdjustment) throws(FathomError) {
    (self.base, self.adjustment) = (base, adjustment)
    var scenes: [SceneHeader] = []
    for var scene in base.scenes {
      func failure(_ reason: Wording, _ advice: Wording) -> FathomError {
        Self.failure(scene, base.path, reason, advice)
      }
      guard var stored = scene.predictions.first, let truth = scene.truthSize else {
        throw failure("it has no truth", "check the ledger's files")
      }
      if adjustment.cutsImages, scene.colourSize != nil { scene.colourSize = truth }
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
      case .upsampled(_, let factor, _):
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

  package var path: String { base.path }
  package var issues: [SchemaIssue] { base.issues }
  package var sources: SourceFiles { base.sources }
  package var protections: [String]? { base.protections }

  package func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(FathomError) -> DepthFrame {
    let stored = base.scenes.first { $0.name == scene.name } ?? scene
    var needed = arrays.subtracting(.lidar)
    if arrays.contains(.lidar) { needed.insert(.predictions) }
    if case .upsampled(_, _, .some) = adjustment.role { needed.insert(.image) }
    var frame = try base.frame(index, of: stored, including: needed)
    if adjustment.coversCorner, let size = scene.truthSize { frame.truth = frame.truth?.corner(size) }
    if adjustment.cutsImages, let size = stored.truthSize {
      frame.image = try frame.image.map { image throws(FathomError) in try middle(image, size, of: scene) }
    }
    frame.truthDeviation = nil
    guard var (header, map) = frame.predictions.first else { return frame }
    (frame.predictions, frame.certainties) = ([], [:])
    if adjustment.scale != 1 { map.values = map.values.map { adjustment.scale * $0 } }
    switch adjustment.role {
    case .lidar:
      if arrays.contains(.lidar) { frame.lidar = map }
      return frame
    case .prediction: break
    case .upsampled(let resize, let factor, let filter):
      let reduced = RasterSize(width: map.width / factor, height: map.height / factor)
      if factor > 1 { map = resize.resized(map, to: reduced) }
      map = resize.resized(map, to: scene.truthSize ?? map.size)
      if let filter {
        guard let image = frame.image, image.size == map.size else {
          throw Self.failure(
            scene, path,
            "its image has \(frame.image.map { "\($0.size)" } ?? "no") pixels, its truth \(map.size)",
            "give 'image', or 'image-cut: centre' where the truth is the middle of the image")
        }
        map = filter.filtered(map, guide: image)
        if !arrays.contains(.image) { frame.image = nil }
      }
      header.size = map.size
    }
    if arrays.contains(.predictions) { frame.predictions = [(header, map)] }
    return frame
  }

  private static func failure(
    _ scene: SceneHeader, _ path: String, _ reason: Wording, _ advice: Wording
  ) -> FathomError {
    FathomError(
      .badData, attempted: "score scene '\(scene.name)'", file: path, reason: reason, advice: advice)
  }

  /// The middle of an image, of a size.
  private func middle(
    _ image: Raster<RGB>, _ size: RasterSize, of scene: SceneHeader
  ) throws(FathomError) -> Raster<RGB> {
    guard image.width >= size.width, image.height >= size.height else {
      throw Self.failure(
        scene, path, "its image has \(image.size) pixels, its truth \(size)", "remove 'image-cut: centre'")
    }
    let (top, left) = ((image.height - size.height) / 2, (image.width - size.width) / 2)
    return Raster(
      width: size.width, height: size.height,
      values: (top..<top + size.height).flatMap {
        image.values[$0 * image.width + left..<$0 * image.width + left + size.width]
      })
  }

  package func objects(of scene: SceneHeader, includingMasks: Bool) -> SceneObjects? { nil }
  package func mask(ofObject index: Int, in scene: SceneHeader) -> Raster<Float>? { nil }
  package func detectorOutput(frame index: Int, of scene: SceneHeader) -> DetectorOutput? { nil }
}

extension DepthMap {
  /// Its first rows and columns.
  fileprivate func corner(_ size: RasterSize) -> DepthMap {
    DepthMap(
      width: size.width, height: size.height,
      values: (0..<size.height).flatMap { values[$0 * width..<$0 * width + size.width] })
  }
}
