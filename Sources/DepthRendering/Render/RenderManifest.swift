import FathomRunFolders
import FathomTables
import DepthCore
import FathomStorage

/// `render.json`: what determines the files of a folder, and their frames.
struct RenderManifest<File: WrittenFrames>: Encodable {
  let tool = "fathom", version = Version.current
  let input: RunManifest.Input, scene: String, format: String, source: String
  /// How the truth depends on the LiDAR, "multiview" where it was made of neighbouring frames; nil without truth.
  let truthIndependence: String?
  let boxes: [String], minConfidence: UInt8?
  /// Metres; nil for all.
  let minDepth: Double?, maxDepth: Double?
  let seed: UInt64
  /// Of points, metres; nil where all are written.
  let voxel: Double?
  let files: [File]

  // Of pictures alone.

  /// Of each picture, from bottom to top.
  private(set) var layers: [[LayerName]]?
  /// Ends of ramp, and of turbo and viridis, metres.
  private(set) var rampRange: [Double]?, mapRange: [Double]?
  /// nil for each layer's own.
  private(set) var opacity: Double?
  private(set) var fogColour: String?
  /// Metres.
  private(set) var fogMax: Double?
  /// LiDAR pixels.
  private(set) var fogSigma: Double?
  /// Metres, of each layer that has one.
  private(set) var errorLimit: Double?, residualLimit: Double?, deviationLimit: Double?
  private(set) var isPortrait: Bool?
  /// Of jpg alone.
  private(set) var quality: Int?

  /// - Parameter pictures: How frames were drawn; nil for points and boxes.
  init(
    _ input: RunManifest.Input, _ scene: SceneHeader, _ selection: GeometryOptions, format: String,
    pictures: PictureOptions? = nil, _ files: [File]
  ) {
    self.input = input
    self.scene = scene.name
    (self.format, self.files) = (format, files)
    source = selection.source.description
    truthIndependence = scene.truthSize == nil ? nil : scene.truthIndependence.rawValue
    boxes = selection.boxes.map(\.name)
    minConfidence = selection.minimumConfidence
    minDepth = selection.depthRange?.lowerBound
    maxDepth = selection.depthRange.flatMap { $0.upperBound.isFinite ? $0.upperBound : nil }
    seed = selection.seed
    voxel = selection.voxel > 0 ? selection.voxel : nil
    guard let pictures else { return }
    layers = pictures.panels
    rampRange = [pictures.rampRange.lowerBound, pictures.rampRange.upperBound]
    mapRange = [pictures.mapRange.lowerBound, pictures.mapRange.upperBound]
    opacity = pictures.request.opacity
    fogColour = pictures.request.fogColour.typed
    fogMax = pictures.request.fogMax
    fogSigma = pictures.request.fogSigma
    let drawn = pictures.layers
    errorLimit = drawn.contains(.error) ? pictures.limit(of: .error) : nil
    residualLimit = drawn.contains(.residual) ? pictures.limit(of: .residual) : nil
    deviationLimit = drawn.contains(.deviation) ? pictures.limit(of: .deviation) : nil
    isPortrait = pictures.request.isPortrait
    quality = format == RenderFormat.jpg.rawValue ? pictures.request.quality : nil
  }

  /// Pretty-printed with sorted keys, so that equal runs give equal bytes.
  var json: String { get throws { try CanonicalJSON.text(self) } }
}
