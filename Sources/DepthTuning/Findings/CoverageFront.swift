/// What more coverage costs: the configurations that no other beats in both coverage and error on what they solve.
public struct CoverageFront: Sendable {
  public struct Point: Sendable, Hashable {
    /// Position in the grid.
    public let configuration: Int
    /// Mean over scenes of the share of truth pixels with a fused value; refused frames have none.
    public let coverage: Double
    /// Mean over scenes of the objective's measure on solved frames, as a loss.
    public let loss: Double
  }

  /// Every configuration that solved a frame in every scene.
  public let points: [Point]
  /// The front, coverage descending, loss descending.
  public let front: [Point]

  init(_ scores: [SceneScores], _ plan: TuningPlan) {
    let objective = plan.objective
    points = plan.grid.configurations.indices.compactMap { configuration in
      var (coverage, loss) = (0.0, 0.0)
      for scene in scores {
        guard let value = scene.value(configuration, column: objective.columnIndex, withFallback: false)
        else { return nil }
        coverage += scene.value(configuration, column: SceneScores.coverage, withFallback: true) ?? 0
        loss += objective.loss(of: value)
      }
      guard !scores.isEmpty else { return nil }
      let count = Double(scores.count)
      return Point(configuration: configuration, coverage: coverage / count, loss: loss / count)
    }
    var front: [Point] = []
    for point in points.sorted(by: {
      ($1.coverage, $0.loss, $0.configuration) < ($0.coverage, $1.loss, $1.configuration)
    }) where front.last.map({ point.loss < $0.loss }) ?? true { front.append(point) }
    self.front = front
  }
}
