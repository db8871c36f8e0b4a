import DepthCore
import DepthReport
import Foundation
import Storage

/// A picture that was written, for tables.
public struct DrawnFile: Codable, Sendable {
  public var file: String
  /// As reports name them.
  public let frames: [String]
  /// Pixels of the whole.
  public let width: Int, height: Int

  init(file: String, frames: [String], _ size: RasterSize) {
    (self.file, self.frames, width, height) = (file, frames, size.width, size.height)
  }
}

/// `render.json` of a folder of pictures: what determines them, and their frames.
struct PictureManifest: Codable {
  var tool = "fathom"
  var version = Version.current
  let input: RunManifest.Input
  let scene: String
  let format: String
  let source: String
  /// Of each picture, from bottom to top.
  let layers: [[LayerName]]
  let boxes: [String]
  let minConfidence: UInt8?
  /// Metres; nil for all.
  let minDepth: Double?, maxDepth: Double?
  /// Ends of ramp, and of turbo and viridis, metres.
  let rampRange: [Double], mapRange: [Double]
  /// nil for each layer's own.
  let opacity: Double?
  let fogColour: String
  /// Metres.
  let fogMax: Double
  /// LiDAR pixels.
  let fogSigma: Double
  /// Metres.
  let errorLimit: Double
  let isPortrait: Bool
  /// Of jpg alone.
  let quality: Int?
  let seed: UInt64
  let files: [DrawnFile]

  init(
    input: RunManifest.Input, _ painter: FramePainter, _ format: RenderFormat, _ files: [DrawnFile]
  ) {
    let (options, selection) = (painter.options, painter.selection)
    (self.input, scene, self.format) = (input, painter.scene.name, format.rawValue)
    (source, seed, self.files) = (selection.source.description, selection.seed, files)
    layers = options.panels
    boxes = selection.boxes.map(\.name)
    minConfidence = selection.minimumConfidence
    minDepth = selection.depthRange?.lowerBound
    maxDepth = selection.depthRange.flatMap { $0.upperBound.isFinite ? $0.upperBound : nil }
    rampRange = [options.rampRange.lowerBound, options.rampRange.upperBound]
    mapRange = [options.mapRange.lowerBound, options.mapRange.upperBound]
    (opacity, fogMax, fogSigma) = (options.request.opacity, options.request.fogMax, options.request.fogSigma)
    fogColour = options.request.fogColour.hexadecimal
    (errorLimit, isPortrait) = (options.request.errorLimit, options.request.isPortrait)
    quality = format == .jpg ? options.request.quality : nil
  }

  /// Pretty-printed with sorted keys, so that equal runs give equal bytes.
  var json: String {
    get throws { try CanonicalJSON.text(self) }
  }
}

extension RGB {
  /// "808080"
  fileprivate var hexadecimal: String {
    [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
