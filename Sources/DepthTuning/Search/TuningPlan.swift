public import DepthEvaluation

/// What is searched, how it is scored and how the choice is validated.
public struct TuningPlan: Sendable {
  public var grid: SearchGrid, objective: TuningObjective
  /// Which truth counts.
  public var rules: EvaluationProtocol
  /// Seed of every random stream.
  public var seed: UInt64
  /// Truth pixels of a frame that the search scores; nil for all. Finalists are scored at all of them.
  public var searchPixels = SampleLimit.standard.limit
  /// Pairs of a frame that methods other than least squares fit during the search; nil for all. Finalists fit all.
  public var searchPairs = SampleLimit.standard.limit
  /// Parts in which scenes are held out; nil for one at a time.
  public var folds: Int?
  /// How objects are looked at; only for ``TuningObjective/Measure/placement``.
  public var objects = ObjectPlan()

  public init(
    grid: SearchGrid, objective: TuningObjective, rules: EvaluationProtocol = .fathom, seed: UInt64 = 0
  ) { (self.grid, self.objective, self.rules, self.seed) = (grid, objective, rules, seed) }
}
