public import DepthCore
public import DepthObjects
import FathomPlainText

/// Everything that determines a replay: the same plan and data give the same result.
///
/// Several rates, pools, policies or stage times are tried in all combinations. The first of each is what the report is about.
public struct ReplayPlan: Sendable, Hashable {
  /// Frames of the camera per second.
  public var rates = [60.0]
  /// Buffers of the camera.
  public var pools = [4]
  /// Buffers that an analysis holds.
  public var held = 1
  public var policies = [AdmissionPolicy.drop]
  /// Refreshes of the display per second.
  public var display = 60.0
  /// Where the ray of a hit test starts.
  public var anchor = PlacementAnchor.bottomCentre
  /// Of stage times that are drawn.
  public var seed: UInt64 = 0
  /// Stages in the order of the analysis; each with the times that are tried.
  public var stages: [StageChoice] = []
  public init() {}
  /// More are refused: they would take long and be too many to read.
  public static let mostSettings = 1000

  /// Every combination; the stage times vary fastest.
  public var settings: [ReplaySetting] {
    let times = stages.reduce([[LiveStage]()]) { lists, stage in
      lists.flatMap { list in stage.times.map { list + [LiveStage(stage.name, $0)] } }
    }
    return policies.flatMap { policy in
      rates.flatMap { rate in
        pools.flatMap { pool in
          times.map { stages in
            ReplaySetting(
              rate: rate, stages: stages,
              pipeline: LivePipeline(pool: pool, held: held, policy: policy, display: display))
          }
        }
      }
    }
  }

  /// The first value that makes no sense.
  public var firstProblem: OptionProblem? {
    if let problem = firstOutOfRange { return problem }
    if let name = stages.map(\.name).firstRepeated { return OptionProblem("stage", "\(name) is given twice") }
    let lists: [(OptionName, Bool)] = [
      ("rate", rates.isEmpty), ("pool", pools.isEmpty), ("policy", policies.isEmpty),
    ]
    for (name, isEmpty) in lists where isEmpty { return OptionProblem(name, "at least one is needed") }
    let count =
      rates.count * pools.count * policies.count * stages.reduce(1) { min($0 * $1.times.count, 1 << 20) }
    if count > Self.mostSettings {
      return OptionProblem("rate", "\(count) combinations are more than \(Self.mostSettings)")
    }
    if let pool = pools.first(where: { $0 < held }) {
      return OptionProblem(
        "held", "an analysis that holds \(held) buffers needs a pool of at least as many, not \(pool)")
    }
    return nil
  }
}

/// A stage and the times that are tried for it.
public struct StageChoice: Sendable, Hashable {
  public var name: String, times: [StageTime]
  public init(_ name: String, _ times: [StageTime]) { (self.name, self.times) = (name, times) }
}

/// One combination.
public struct ReplaySetting: Sendable, Hashable {
  public var rate: Double, stages: [LiveStage], pipeline: LivePipeline
  /// Mean analysis time over the time between two frames.
  public var load: Double { stages.mean * rate / 1e9 }

  /// Frames that are dropped where each analysis takes the same time and only the policy drops any: all but every ⌈s/T⌉-th;
  /// nil for other settings.
  public func steadyDrops(of frames: Int) -> Int? {
    let times = stages.compactMap { stage -> Int? in
      if case .fixed(let time) = stage.time { time } else { nil }
    }
    guard times.count == stages.count, pipeline.policy == .drop, pipeline.pool > pipeline.held else {
      return nil
    }
    let total = times.reduce(0, +)
    // The first frame that is not before the end of an analysis that began with frame 0.
    let clock = DisplayClock(rate)
    let step = max(1, clock.ticks(upTo: total).count - (clock.ticks(upTo: total).last == total ? 1 : 0))
    return frames - (frames + step - 1) / step
  }
}

extension ReplayPlan: DeclaredOptions {
  /// Its options; stages have a grammar of their own.
  public static let rules: [Rule] = [
    Rule("rate", \.rates, .above(0, to: 1000), standard: "60", help: "Frames of the camera per second"),
    Rule("pool", \.pools, .from(1, to: 10_000), standard: "4", help: "Buffers of the camera"),
    Rule("held", \.held, .from(1, to: 10_000), help: "Buffers that one analysis holds"),
    Rule(
      "policy", \.policies, standard: "drop",
      help:
        "What happens to a frame that arrives during an analysis: drop, queue (it waits) or latest (the newest waits)"
    ), Rule("display", \.display, .above(0, to: 1000), help: "Refreshes of the display per second"),
    Rule("anchor", \.anchor, help: "Where in an object's image box the ray of a hit test starts"),
    Rule("seed", \.seed, help: "Seed of randomly drawn stage times"),
  ]
}

extension PlacementAnchor: OptionValue {}

extension [String] {
  fileprivate var firstRepeated: String? {
    var seen: Set<String> = []
    return first { !seen.insert($0).inserted }
  }
}
