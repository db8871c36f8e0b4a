/// What a replay found: setting by setting, scene by scene.
public struct ReplayRun: Sendable {
  /// A scene as it was replayed.
  public struct Source: Sendable, Hashable {
    public var name: String
    /// Recorded frames, and from the first to the last, seconds.
    public var frames: Int, seconds: Double
    /// Longest time between two recorded frames, seconds.
    public var longestGap: Double
    public var hasPoses: Bool
    /// What effects are placed on; nil where nothing is.
    public var targets: TargetKind?

    public init(name: String, path: RecordedPath, targets: TargetKind?) {
      (self.name, frames, self.targets) = (name, path.times.count, targets)
      (seconds, longestGap) = (Double(path.duration) / 1e9, Double(path.longestGap) / 1e9)
      hasPoses = path.hasPoses
    }
  }
  /// A scene that cannot be replayed.
  public struct LeftOut: Sendable, Hashable, Codable {
    public var name: String
    /// "a replay needs two frames or more".
    public var reason: String
    public init(name: String, reason: String) { (self.name, self.reason) = (name, reason) }
  }
  /// What effects are placed on.
  public enum TargetKind: String, Sendable, Hashable, Codable {
    /// The data's detections.
    case objects
    /// A tap in the middle of the picture, where there are no detections.
    case tap
  }

  public let plan: ReplayPlan, sources: [Source]
  /// Scenes that were asked for and cannot be replayed.
  public let leftOut: [LeftOut]
  /// In the order of the plan's settings.
  public let settings: [ReplayedSetting]
  /// By how long the analysis takes; nil without placements.
  public let curve: DelayCurve?

  /// - Precondition: At least one setting.
  public init(
    _ plan: ReplayPlan, sources: [Source], leftOut: [LeftOut] = [], settings: [ReplayedSetting],
    curve: DelayCurve?
  ) {
    precondition(!settings.isEmpty, "a plan has a setting")
    (self.plan, self.sources, self.leftOut) = (plan, sources, leftOut)
    (self.settings, self.curve) = (settings, curve)
  }

  /// What the report is about.
  public var main: ReplayedSetting { settings[0] }
}

/// All scenes under one setting.
public struct ReplayedSetting: Sendable {
  public let setting: ReplaySetting, scenes: [ReplayedScene]
  /// Buffers that a queue would need to analyse every frame of these scenes.
  public let buffersNeeded: Int
  /// Counts, times and distances of all scenes together.
  public let summary: ReplaySummary

  public init(_ setting: ReplaySetting, scenes: [ReplayedScene], buffersNeeded: Int) {
    (self.setting, self.scenes, self.buffersNeeded) = (setting, scenes, buffersNeeded)
    summary = ReplaySummary(scenes)
  }

  /// Whether a queue would grow as long as the camera runs: the analysis takes longer than the time between two frames.
  public var isOverloaded: Bool { setting.load > 1 }

  /// Drops by the closed form, of all scenes; nil where there is none.
  public var steadyDrops: Int? {
    let drops = scenes.compactMap { scene in
      scene.trace.untracked > 0 ? nil : setting.steadyDrops(of: scene.trace.frames.count)
    }
    return drops.count == scenes.count ? drops.reduce(0, +) : nil
  }
}

/// Counts, times and distances, over all frames and objects alike.
public struct ReplaySummary: Sendable, Hashable, Codable {
  public let offered: Int, analysed: Int, dropped: Int, starved: Int, untracked: Int
  /// Longest run of frames without a buffer, and most buffers held at once.
  public let longestStarvation: Int, mostHeld: Int
  /// From capture to display, and age of the result on screen: milliseconds.
  public let latency: Spread?, age: Spread?
  /// Motion of the camera from capture to display.
  public let millimetres: Spread?, degrees: Spread?
  /// How far the display's pose moves effects, and what that adds to their error: centimetres.
  public let shift: Spread?, worsening: Spread?
  /// Error of placement by pose, centimetres, where the true depth is known; and from the base of the true box.
  public let frameError: Spread?, displayError: Spread?, anchorError: Spread?, baseError: Spread?
  public let placements: Int

  public init(_ scenes: [ReplayedScene]) {
    let traces = scenes.map(\.trace)
    func sum(_ value: (LiveTrace) -> Int) -> Int { traces.reduce(0) { $0 + value($1) } }
    (offered, analysed, dropped) = (sum(\.frames.count), sum(\.analysed), sum(\.dropped))
    (starved, untracked) = (sum(\.starved), sum(\.untracked))
    longestStarvation = traces.map(\.longestStarvation).max() ?? 0
    mostHeld = traces.map(\.mostHeld).max() ?? 0
    latency = Spread(nanoseconds: traces.flatMap(\.results).map(\.latency))
    age = Spread(nanoseconds: traces.flatMap(\.ages))
    let staleness = scenes.flatMap(\.shown).compactMap(\.staleness)
    millimetres = Spread(staleness.map(\.millimetres))
    degrees = Spread(staleness.map(\.degrees))
    let placed = scenes.flatMap(\.placements)
    placements = placed.count
    (shift, worsening) = (Spread(placed.map(\.shift)), Spread(placed.map(\.worsening)))
    func error(_ pose: PlacementPose) -> Spread? { Spread(placed.compactMap { $0.errors[pose] }) }
    (frameError, displayError, anchorError) = (error(.frame), error(.display), error(.anchor))
    baseError = Spread(placed.compactMap(\.baseError))
  }
}
