public import DepthFusion
import FathomStorage
import FathomTables
public import FathomRunFolders

/// What determines fused maps, and how the method ended on their frames: `fuse.json` of a folder, attributes of a file.
public struct FuseManifest: Codable, Sendable {
  /// A scene whose frames were fused.
  public struct Scene: Codable, Sendable {
    public var name: String
    /// In the output; empty where it is the output itself.
    public var folder: String
    /// Of the maps, pixels.
    public var width: Int, height: Int
    public var relativeKind: String, frames: Int
    /// Frames that have a map.
    public var fused = 0
    /// Why the first frame without one has none; nil where all have one.
    public var firstReason: String?
  }

  public var tool = "fathom", version = Version.current, build = Version.build
  public var inputs: [RunManifest.Input], method: String, options: FusionOptions
  public var seed: UInt64
  /// The calibration that was applied; ``options`` hold what it says.
  public var calibration: RunManifest.Input?
  public var format: FusedFormat
  /// Metres that the number 1 stands for, by layer; a method that does not say how sure it is has no layer `deviation`.
  public var metres: [String: Double]
  public var scenes: [Scene] = []
  /// Whether there are standard deviations.
  public var hasDeviation: Bool { metres[FusedLayer.deviation.rawValue] != nil }

  /// Attributes of the root of an HDF5 file: texts.
  func attributes() throws -> [(name: String, text: String)] {
    [
      ("format", "fathom-fused"), ("version", "1"), ("created_by", Version.name), ("method", method),
      ("options", try CanonicalJSON.text(options, isPretty: false)), ("seed", "\(seed)"),
      ("source", inputs.map(\.file).joined(separator: ", ")),
      ("source_sha256", inputs.map(\.sha256).joined(separator: ", ")),
      ("calibration_sha256", calibration?.sha256 ?? "none"),
      ("deviation", hasDeviation ? "standard deviation of depth, metres" : "\(method) gives none"),
    ]
  }
}
