public import FathomRuns
import FathomPlainText
import DepthCore
import DepthEvaluation
public import FathomReplay
import FathomStorage

/// Replays recordings through a live camera, its buffers and an analysis that takes time: what `fathom replay` does.
public struct ReplayJob: Sendable {
  /// Data sets, scenes and frames.
  public var data: DataSelection
  /// Rates, pools, policies and stage times.
  public var plan: ReplayPlan
  /// Where stage times come from.
  public var clock = Clock.given

  /// Where stage times come from.
  public enum Clock: String, Sendable, Codable {
    /// The plan: virtual time, the same bytes each time.
    case given
    /// Stages that Fathom has are run and timed first, on this machine; the plan's come behind them. Virtual time.
    case measured
    /// The wall clock: the stages run for every frame that is analysed, then the plan's times are waited for.
    case wall
  }

  public init(_ data: DataSelection, plan: ReplayPlan) { (self.data, self.plan) = (data, plan) }

  /// Replays.
  /// - Throws: `FathomError` where data cannot be read or replayed, `OptionProblem` where the plan makes no sense or no scene
  ///   matches.
  public func run(_ observe: JobObserver = { _ in }) async throws -> ReplayResult {
    try await run(try open(observe), observe)
  }

  package func open(_ observe: JobObserver) throws -> RunInputs {
    if let problem = plan.firstProblem { throw problem }
    if plan.stages.isEmpty, clock == .given {
      throw OptionProblem(
        "stage",
        "no stage is given; give one (detect=45ms), or \(option: "measured") or \(option: "real-time")")
    }
    if clock == .wall, plan.settings.count > 1 {
      throw OptionProblem("real-time", "it takes one setting, not \(plan.settings.count)")
    }
    return try RunInputs(data, rules: .fathom, observe)
  }

  package func run(_ inputs: RunInputs, _ observe: JobObserver) async throws -> ReplayResult {
    let asked = inputs.files.flatMap { file in
      file.scenes.map { ($0, file.source, frames: inputs.selection.range(of: $0.header)) }
    }
    let reasons = asked.map { SceneReplaySource.unsuitability(of: $0.0.header, frames: $0.frames) }
    let leftOut = zip(asked, reasons).compactMap { scene, reason in
      reason.map { ReplayRun.LeftOut(name: scene.0.name, reason: $0) }
    }
    var scenes: [SceneReplaySource] = []
    // Where none can be replayed, the first says why.
    for ((context, reader, frames), reason) in zip(asked, reasons)
    where reason == nil || leftOut.count == asked.count {
      scenes.append(
        try SceneReplaySource(
          context, reader, anchor: plan.anchor, frames: frames, fastest: plan.rates.max() ?? 1))
    }
    for scene in leftOut { observe(.noticed(.notReplayed(scene: scene.name, reason: scene.reason))) }
    for scene in scenes where !scene.path.hasPoses { observe(.noticed(.withoutPoses(scene: scene.name))) }
    var plan = plan
    if clock == .measured { plan.stages = try LiveStages.measured(scenes, observe) + plan.stages }
    let settings = plan.settings
    observe(.began(.replaying, steps: settings.count))
    var (replayed, curve): ([ReplayedSetting], DelayCurve?) = ([], nil)
    for setting in settings {
      let service: ServiceTime =
        clock == .wall ? try LiveStages.wall(setting.stages, scenes, seed: plan.seed) : .drawn(plan.seed)
      replayed.append(try Self.replay(setting, scenes, service))
      // Of the targets that this setting looked at, whatever others do.
      if replayed.count == 1 { curve = Self.curve(replayed[0], scenes) }
      observe(.advanced)
    }
    let run = ReplayRun(
      plan, sources: scenes.map(\.source), leftOut: leftOut, settings: replayed, curve: curve)
    let manifest = ReplayManifest(
      run, clock: clock.rawValue, inputs: try await inputs.manifest(), scenePattern: data.scenes.description)
    try inputs.requireUnchanged()
    return ReplayResult(name: inputs.name, run: run, manifest: manifest)
  }

  /// How long an analysis takes.
  enum ServiceTime {
    case drawn(UInt64)  // Drawn from the setting's stages with this seed.
    /// By doing it, on a scene's wall clock.
    case done((_ scene: Int, _ recorded: Int, _ frame: Int, _ start: Int) throws(FathomError) -> Int)
  }

  private static func replay(
    _ setting: ReplaySetting, _ scenes: [SceneReplaySource], _ service: ServiceTime
  ) throws -> ReplayedSetting {
    var (replayed, needed) = ([ReplayedScene](), 0)
    for (index, scene) in scenes.enumerated() {
      let captures = DisplayClock(setting.rate).ticks(upTo: scene.path.duration)
      let trace = try setting.pipeline.run(captures, isTracked: { scene.isTracked(at: captures[$0]) }) {
        (frame, start) throws(FathomError) in
        switch service {
        case .drawn(let seed): setting.stages.duration(frame: frame, seed: seed)
        case .done(let work): try work(index, scene.path.nearestFrame(to: captures[frame]), frame, start)
        }
      }
      replayed.append(
        try ReplayedScene(scene.name, trace, path: scene.path) { (recorded) throws(FathomError) in
          try scene.targets(recorded)
        })
      needed = max(needed, buffersNeeded(setting, captures, scene, trace, service))
    }
    var setting = setting
    if case .done = service {
      let times = replayed.flatMap(\.trace.results).map { $0.finished - $0.started }
      setting.stages = [LiveStage("all stages", .measured(times))]
    }
    return ReplayedSetting(setting, scenes: replayed, buffersNeeded: needed)
  }

  /// Buffers that a queue holds at most where it never lacks one. What was done on the wall clock counts with its mean.
  private static func buffersNeeded(
    _ setting: ReplaySetting, _ captures: [Int], _ scene: SceneReplaySource, _ trace: LiveTrace,
    _ service: ServiceTime
  ) -> Int {
    let done = trace.results.map { $0.finished - $0.started }
    let mean = done.isEmpty ? 0 : done.reduce(0, +) / done.count
    return setting.pipeline.buffersToKeepAll(captures, isTracked: { scene.isTracked(at: captures[$0]) }) {
      frame in
      if case .drawn(let seed) = service { setting.stages.duration(frame: frame, seed: seed) } else { mean }
    }
  }

  private static let curveStages = Array(0...400)  // Stage times that the curve is drawn for, milliseconds.

  /// The targets that the first setting looked at, at the latencies that other stage times give.
  private static func curve(_ main: ReplayedSetting, _ scenes: [SceneReplaySource]) -> DelayCurve? {
    let known = scenes.map { (path: $0.path, targets: $0.knownTargets) }
    guard known.contains(where: { !$0.targets.isEmpty }) else { return nil }
    // Results wait for the display, so that many stage times give one latency.
    var placed: [Int: DelayCurve.Point] = [:]
    let points = curveStages.compactMap { milliseconds -> DelayCurve.Point? in
      let stage = milliseconds * 1_000_000
      let latencies = scenes.flatMap { scene in
        main.setting.pipeline.run(DisplayClock(main.setting.rate).ticks(upTo: scene.path.duration)) { _, _ in
          stage
        }.results.map { Double($0.latency) }
      }
      guard let median = OrderStatistics.median(of: latencies) else { return nil }
      let latency = Int(median.rounded())
      guard var point = placed[latency] ?? DelayCurve.Point(stage: stage, latency: latency, known) else {
        return nil
      }
      placed[latency] = point
      point.stage = Double(milliseconds)
      return point
    }
    return points.isEmpty ? nil : DelayCurve(points)
  }
}

/// What a replay found, and its files.
public struct ReplayResult: Sendable {
  /// Name of the replay: the data sets' names.
  public let name: String
  public let run: ReplayRun
  /// `replay.json`.
  public let manifest: ReplayManifest
}
