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
  /// Least mean coverage of a choice; nil for that of the reference.
  public let coverageFloor: Double?
  /// Whether the worst scene counts instead of the mean.
  public let isWorstScene: Bool
  private let rows: [Int: Int]  // Rows by position in the grid.

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

  /// Names of the scenes in which the objective has a value.
  static func usableScenes(_ scores: [SceneScores], _ plan: TuningPlan) -> Set<String> {
    Set(
      scores.filter {
        $0.value(SearchGrid.reference, column: plan.objective.columnIndex, withFallback: true) != nil
      }.map(\.scene))
  }

  /// Scores of some configurations; all scenes hold the same ones.
  /// - Parameter scenes: Scenes that count; nil for all in which the objective has a value.
  public init(_ scores: [SceneScores], plan: TuningPlan, scenes: Set<String>? = nil) {
    let objective = plan.objective
    let counted = scenes ?? Self.usableScenes(scores, plan)
    let usable = scores.filter { counted.contains($0.scene) }
    let configurations = usable.first?.configurations ?? []
    self.init(
      scenes: usable.map(\.scene), configurations: configurations,
      losses: configurations.map { configuration in
        usable.map {
          $0.value(configuration, column: objective.columnIndex, withFallback: true).map(objective.loss)
            ?? .nan
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

  /// Coverage that a choice must reach: the one asked for, or else the reference's, less a thousandth. A configuration that
  /// refuses more frames would be judged by the raw LiDAR that replaces it.
  func floor(in scenes: [Int]) -> Double {
    if let coverageFloor { return coverageFloor }
    return rows[SearchGrid.reference].map { coverage(of: $0, in: scenes) - 0.001 } ?? 0
  }

  /// Whether the reference reaches the coverage that was asked for.
  public var referenceCovers: Bool {
    let all = Array(scenes.indices)
    return rows[SearchGrid.reference].map { coverage(of: $0, in: all) >= floor(in: all) } ?? false
  }

  /// Mean coverage of a configuration.
  public func coverage(of configuration: Int) -> Double? {
    rows[configuration].map { coverage(of: $0, in: Array(scenes.indices)) }
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
