public import FathomRunFolders
import FathomTables
public import DepthCalibration
import DepthCore
import FathomStorage

/// `calibration.json`: everything that determines the numbers of a calibration, and nothing else.
public struct CalibrationManifest: Codable, Sendable {
  /// The file's name; marks a folder as one of these.
  public static let fileName = "calibration.json"

  /// A scene that was looked at.
  public struct Scene: Codable, Sendable {
    public var name: String
    /// Frames with truth.
    public var frames: Int
    public var hasConfidence: Bool, truthIndependence: String
  }
  /// Pixels of the LiDAR that were counted or excluded.
  public struct Pixels: Codable, Sendable {
    /// With truth in range.
    public var withTruth: Int
    /// Whose truth is unknown, on a depth step, out of range, or whose confidence is not 0, 1 or 2.
    public var unknownTruth: Int, onDepthSteps: Int, outOfRange: Int, unknownConfidence: Int
  }

  public var tool = "fathom", version = Version.current
  /// As in `run.json`.
  public var build: String? = Version.build
  public var inputs: [RunManifest.Input], plan: CalibrationPlan
  /// How the truth was made from neighbouring frames; absent where the stored truth was used.
  public var multiview: MultiviewReference.Options?
  /// Scenes that were asked for.
  public var scenePattern: String?
  public var scenes: [Scene]
  /// Scenes without truth or LiDAR.
  public var leftOut: [String]
  public var pixels: Pixels

  public init(_ run: CalibrationRun, inputs: [RunManifest.Input], scenePattern: String?, leftOut: [String]) {
    (self.inputs, plan, self.scenePattern, self.leftOut) = (inputs, run.plan, scenePattern, leftOut)
    scenes = run.scenes.map { scene in
      Scene(
        name: scene.name, frames: scene.frames.count, hasConfidence: scene.hasConfidence,
        truthIndependence: scene.independence.rawValue)
    }
    let without = run.leftOut
    pixels = Pixels(
      withTruth: run.table.row(level: nil)?.pixels ?? 0, unknownTruth: without.unknown,
      onDepthSteps: without.steps, outOfRange: without.outOfRange, unknownConfidence: without.unknownLevels)
  }

  /// Pretty-printed with sorted keys, so that equal runs give equal bytes.
  public var json: String { get throws { try CanonicalJSON.text(self) + "\n" } }
}
