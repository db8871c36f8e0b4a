/// What a replay shows, as values; the report's words are made from it.
public struct ReplayVerdict: Sendable, Codable {
  /// The stage time from which placement with the display's pose is so much worse.
  public struct Threshold: Sendable, Codable, Hashable {
    public var centimetres: Double
    /// Of all stages together; nil where placement is not that much worse at any time tried.
    public var milliseconds: Double?
  }

  /// Mean analysis time, milliseconds, and over the time between two frames.
  public var stage: Double, load: Double
  public var summary: ReplaySummary
  /// Drops by the closed form; nil where there is none.
  public var steadyDrops: Int?
  /// Buffers with which a queue drops nothing in these data, and whether it needs ever more the longer it runs.
  public var buffersNeeded: Int, needsEverMore: Bool
  public var thresholds: [Threshold]
  /// Longest analysis that was looked at for the thresholds, milliseconds.
  public var longestStage: Double?
  public var hasPoses: Bool

  public init(_ run: ReplayRun) {
    let main = run.main
    (stage, load) = (main.setting.stages.mean / 1e6, main.setting.load)
    (summary, steadyDrops) = (main.summary, main.steadyDrops)
    (buffersNeeded, needsEverMore) = (main.buffersNeeded, main.isOverloaded)
    thresholds = [1, 2, 5].map { worse in
      Threshold(centimetres: worse, milliseconds: run.curve?.stage(worseBy: worse))
    }
    longestStage = run.curve?.points.last?.stage
    hasPoses = run.sources.contains(where: \.hasPoses)
  }
}
