import DepthCore
import DepthExport
import DepthFusion
import DepthReport
import Foundation
import Storage

/// A file that was written, for tables.
public struct RenderedFile: Codable, Sendable {
  public var file: String
  /// As reports name them.
  public let frames: [String]
  public let coordinates: String
  public let points: Int
  public let fittedBoxes: Int
  public let truthBoxes: Int
  /// Boxes that a method could not fit, one for each object and method.
  public let failedFits: Int

  init(_ file: String, _ frames: [String], _ scene: SpatialScene, failedFits: Int) {
    (self.file, self.frames, coordinates) = (file, frames, scene.coordinates.rawValue)
    (points, self.failedFits) = (scene.points.count, failedFits)
    (fittedBoxes, truthBoxes) = scene.groups.reduce(into: (0, 0)) { counts, group in
      if group.origin == .truth { counts.1 += group.boxes.count } else { counts.0 += group.boxes.count }
    }
  }
}

/// `render.json`: what determines the files of a folder, and their frames.
struct RenderManifest: Codable {
  var tool = "fathom"
  var version = Version.current
  let input: RunManifest.Input
  let scene: String
  let format: String
  let source: String
  let boxes: [String]
  let minConfidence: UInt8?
  /// Metres; nil for all.
  let minDepth: Double?, maxDepth: Double?
  let seed: UInt64
  let files: [RenderedFile]

  init(input: RunManifest.Input, _ geometry: FrameGeometry, _ format: GeometryFormat, _ files: [RenderedFile])
  {
    let options = geometry.options
    (self.input, scene, self.format) = (input, geometry.scene.name, format.rawValue)
    (source, seed, self.files) = (options.source.description, options.seed, files)
    boxes = options.boxes.map(\.name)
    minConfidence = options.minimumConfidence
    minDepth = options.depthRange?.lowerBound
    maxDepth = options.depthRange.flatMap { $0.upperBound.isFinite ? $0.upperBound : nil }
  }

  /// Pretty-printed with sorted keys, so that equal runs give equal bytes.
  var json: String {
    get throws { try CanonicalJSON.text(self) }
  }
}
