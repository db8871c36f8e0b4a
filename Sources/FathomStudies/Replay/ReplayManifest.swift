import FathomRuns
public import FathomRunFolders
import FathomTables
import DepthObjects
public import FathomReplay
import FathomStorage

/// `replay.json`: everything that determines the numbers of a replay, and nothing else.
public struct ReplayManifest: Codable, Sendable {
  /// The file's name; marks a folder as one of these.
  public static let fileName = "replay.json"

  /// A scene that was replayed.
  public struct Scene: Codable, Sendable {
    public var name: String, frames: Int, seconds: Double, hasPoses: Bool
    /// "objects" or "tap"; absent where nothing was placed.
    public var targets: String?
  }
  /// A stage and its times, as they are written.
  public struct Stage: Codable, Sendable { public var name: String, times: [String] }
  public var tool = "fathom", version = Version.current
  public var inputs: [RunManifest.Input]
  /// Scenes that were asked for.
  public var scenePattern: String?
  public var scenes: [Scene]
  /// Scenes that were asked for and cannot be replayed, and why; absent where there are none.
  public var leftOut: [ReplayRun.LeftOut]?
  /// "given", "measured" or "wall": where stage times come from.
  public var clock: String
  public var rates: [Double], pools: [Int], held: Int, policies: [String], display: Double
  public var anchor: String, seed: UInt64, stages: [Stage]

  public init(_ run: ReplayRun, clock: String, inputs: [RunManifest.Input], scenePattern: String?) {
    let plan = run.plan
    (self.inputs, self.scenePattern, self.clock) = (inputs, scenePattern, clock)
    scenes = run.sources.map {
      Scene(
        name: $0.name, frames: $0.frames, seconds: $0.seconds, hasPoses: $0.hasPoses,
        targets: $0.targets?.rawValue)
    }
    leftOut = run.leftOut.isEmpty ? nil : run.leftOut
    (rates, pools, held, policies) = (plan.rates, plan.pools, plan.held, plan.policies.map(\.rawValue))
    (display, anchor, seed) = (plan.display, plan.anchor.rawValue, plan.seed)
    stages = plan.stages.map { Stage(name: $0.name, times: $0.times.map(\.description)) }
  }

  /// Whether equal runs give equal bytes.
  public var isRepeatable: Bool { clock == "given" }
  /// Pretty-printed with sorted keys, so that equal runs give equal bytes.
  public var json: String { get throws { try CanonicalJSON.text(self) + "\n" } }
}
