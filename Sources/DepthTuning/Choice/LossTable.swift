/// What every configuration loses in every scene: all that a choice is made from.
public struct LossTable: Sendable {
  /// Names of the scenes.
  public let scenes: [String]
  /// Positions in the grid, one per row.
  public let configurations: [Int]
  /// Row by row, scene by scene; smaller is better, NaN where there is no value. Refused frames count as the raw LiDAR.
  public let losses: [[Double]]
  /// Share of truth pixels with a fused value, refused frames counted as without.
  public let coverage: [[Double]]
  /// Per row, values that are not the app's.
  public let changes: [Int]
  /// Least mean coverage of a choice.
  public let coverageFloor: Double?
  /// Whether the worst scene counts instead of the mean.
  public let isWorstScene: Bool

  /// Rows by position in the grid.
  private let rows: [Int: Int]

  /// - Precondition: One row per configuration, one value per scene.
  public init(
    scenes: [String], configurations: [Int], losses: [[Double]], coverage: [[Double]], changes: [Int],
    coverageFloor: Double? = nil, isWorstScene: Bool = false
  ) {
    precondition(losses.count == configurations.count && losses.allSatisfy { $0.count == scenes.count })
    precondition(coverage.count == losses.count && changes.count == losses.count)
    (self.scenes, self.configurations, self.losses) = (scenes, configurations, losses)
    (self.coverage, self.changes) = (coverage, changes)
    (self.coverageFloor, self.isWorstScene) = (coverageFloor, isWorstScene)
    rows = Dictionary(uniqueKeysWithValues: configurations.enumerated().map { ($1, $0) })
  }

  /// Scores of some configurations; all scenes hold the same ones. A scene without one that could be scored is left out.
  public init(_ scores: [SceneScores], plan: TuningPlan) {
    let objective = plan.objective
    let usable = scores.filter { scene in
      scene.value(SearchGrid.reference, column: objective.index, withFallback: true) != nil
    }
    let configurations = usable.first?.configurations ?? []
    self.init(
      scenes: usable.map(\.scene), configurations: configurations,
      losses: configurations.map { configuration in
        usable.map {
          $0.value(configuration, column: objective.index, withFallback: true).map(objective.loss) ?? .nan
        }
      },
      coverage: configurations.map { configuration in
        usable.map { $0.value(configuration, column: SceneScores.coverage, withFallback: true) ?? 0 }
      },
      changes: configurations.map { plan.grid.changes(of: $0).count },
      coverageFloor: objective.coverageFloor, isWorstScene: objective.isWorstScene)
  }

  /// Losses of a configuration, scene by scene.
  public func losses(of configuration: Int) -> [Double] {
    rows[configuration].map { losses[$0] } ?? scenes.map { _ in .nan }
  }

  /// Mean coverage of a configuration over some scenes.
  func coverage(of row: Int, in scenes: [Int]) -> Double {
    scenes.reduce(0) { $0 + coverage[row][$1] } / Double(max(1, scenes.count))
  }

  /// Mean over scenes, or the worst of them.
  func statistic(_ values: [Double]) -> Double {
    isWorstScene
      ? values.reduce(-.infinity) { $0.isNaN || $1.isNaN ? .nan : max($0, $1) }
      : values.reduce(0, +) / Double(values.count)
  }

  /// A configuration's loss over all scenes.
  public func loss(of configuration: Int) -> Double { statistic(losses(of: configuration)) }
}
