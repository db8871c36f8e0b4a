public import FathomStatistics

/// Whether more confidence means less error: the order of the levels' median relative errors.
public struct Monotonicity: Sendable {
  /// Levels that should be in order, the most confident first.
  public struct Comparison: Sendable {
    /// "2 < 1"
    public let name: String
    public let levels: [Int]
    /// Scenes whose levels are in order, by the mean over the frames that have all of them.
    public let scenes: SuccessCount
    /// Frames whose levels are in order. Frames of a scene resemble each other: no independent trials.
    public let frames: SuccessCount
    /// Mean over scenes of how much larger the last level's median is than the first's.
    public let difference: Double?
    /// Over scenes, or over the frames' blocks of one scene.
    public let interval: ConfidenceInterval?
  }

  /// 2 < 1, 1 < 0 and 2 < 1 < 0; levels that no frame has are omitted.
  public let comparisons: [Comparison]

  init(_ scenes: [SceneErrors], _ bootstrap: inout SceneBootstrap) {
    comparisons = [[2, 1], [1, 0], [2, 1, 0]]
      .compactMap { levels in Self.comparison(levels, scenes, &bootstrap) }
  }

  private static func comparison(
    _ levels: [Int], _ scenes: [SceneErrors], _ bootstrap: inout SceneBootstrap
  ) -> Comparison? {
    let usable = scenes.map { scene in
      (
        name: scene.name,
        frames: scene.frames.filter { frame in levels.allSatisfy { frame.medians[$0] != nil } }
      )
    }.filter { !$0.frames.isEmpty }
    guard !usable.isEmpty else { return nil }
    func medians(_ frames: [SceneErrors.Frame]) -> [Double] {
      levels.map { level in frames.reduce(0) { $0 + ($1.medians[level] ?? 0) } / Double(frames.count) }
    }
    func inOrder(_ values: [Double]) -> Bool { zip(values, values.dropFirst()).allSatisfy { $0 < $1 } }
    func gap(_ values: [Double]) -> Double { (values.last ?? 0) - (values.first ?? 0) }
    let sceneMedians = usable.map { medians($0.frames) }
    let frames = usable.flatMap { $0.frames.map { medians([$0]) } }
    let gaps = sceneMedians.map(gap)
    // Within one scene its blocks of frames are all there is to vary; neighbouring frames resemble each other.
    let units =
      scenes.count == 1
      ? Dictionary(grouping: usable.flatMap(\.frames), by: \.block).sorted { $0.key < $1.key }
        .map { (gap(medians($0.value)), "block \($0.key)") } : zip(gaps, usable).map { ($0, $1.name) }
    return Comparison(
      name: levels.map(String.init).joined(separator: " < "), levels: levels,
      scenes: SuccessCount(sceneMedians.count(where: inOrder), of: sceneMedians.count),
      frames: SuccessCount(frames.count(where: inOrder), of: frames.count),
      difference: gaps.reduce(0, +) / Double(gaps.count),
      interval: bootstrap.interval(ofMean: units.map(\.0), scenes: units.map(\.1)))
  }
}
