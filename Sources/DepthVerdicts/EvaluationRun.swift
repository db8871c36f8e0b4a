internal import DepthCore
public import DepthEvaluation
public import DepthFusion
import FathomStatistics
public import FathomStorage

/// Everything that an evaluation found, ready for tables.
public struct EvaluationRun: Sendable {
  /// What was to be done.
  public let plan: EvaluationPlan
  /// The scenes, with their kinds resolved.
  public let scenes: [SceneContext]
  /// All rows, scene by scene, frame by frame, method by method.
  public let records: RowStore<FrameRecord>
  /// Method that gains are relative to.
  public let baseline: String
  /// What methods are compared on.
  public let basis: ComparisonBasis
  /// Files that were skipped because they could not be read.
  public let unreadable: [UnreadableFile]
  /// Means over frames and scenes, or over pixels.
  public let aggregation: Aggregation
  /// How honest the standard deviations are that methods state of their maps, by method; none where no map has any.
  public let deviations: [DeviationResult]
  /// Intervals, tests and ranks.
  public let statistics: RunStatistics
  /// The same predictions under every protocol; nil where it was not asked for.
  public let protocols: ProtocolComparison?
  /// How far the truth may be off besides what its own maps say; nil where it counts as exact.
  public var truthDeviation: TruthDeviation? {
    plan.truthDeviation ?? (hasTruthDeviation ? TruthDeviation() : nil)
  }
  /// Whether the truth of some scene has maps of its standard deviation.
  public var hasTruthDeviation: Bool { scenes.contains { $0.header.hasTruthDeviation } }
  /// What RMSE and bias are worth; empty where the truth counts as exact.
  public private(set) var budgets: [MethodBudget] = []
  /// Boxes, placements and detections; nil where no scene has objects that can be looked at.
  public private(set) var objects: ObjectResults?

  /// Of rows in memory.
  public init(
    plan: EvaluationPlan, scenes: [SceneContext], records: [FrameRecord], baseline: String,
    unreadable: [UnreadableFile] = [], objects: ObjectResults? = nil
  ) {
    self.init(
      plan: plan, scenes: scenes, records: RowStore(records), baseline: baseline, unreadable: unreadable
    ) { objects }
  }

  /// - Parameter records: Scene by scene, frame by frame, method by method.
  /// - Parameter jobs: What may be done at the same time; it changes no result.
  /// - Parameter objects: Boxes, placements and detections, made beside the rest.
  public init(
    plan: EvaluationPlan, scenes: [SceneContext], records: RowStore<FrameRecord>, baseline: String,
    unreadable: [UnreadableFile] = [], jobs: Int = 1, objects: @Sendable () -> ObjectResults?
  ) {
    (self.plan, self.scenes, self.records, self.baseline) = (plan, scenes, records, baseline)
    let basis = ComparisonBasis(scenes)
    (self.basis, self.unreadable) = (basis, unreadable)
    (aggregation, statistics, self.objects) = Self.summaries(
      records, mode: plan.rules.aggregation, references: [baseline, MethodSelection.spec.id], basis,
      seed: plan.seed, jobs: jobs, objects)
    var bootstrap = SceneBootstrap(seed: plan.seed)
    deviations = aggregation.deviations.map { DeviationResult($0, &bootstrap) }
    let standIn = basis.standIn
    protocols = plan.paths.map {
      ProtocolComparison(
        records, $0, fallback: standIn, withoutUnit: scenes.methodsWithoutUnit, seed: plan.seed)
    }
    budgets = MethodBudget.all(of: self)
  }

  private enum Summary: Sendable {
    case compared(RunStatistics.Compared), aggregation(Aggregation), bins(BinIntervals)
    case cumulative([CumulativeErrors]), objects(ObjectResults?)
  }

  /// What goes through all rows, at the same time; the longest first.
  private static func summaries(
    _ records: RowStore<FrameRecord>, mode: AggregationMode, references: [String], _ basis: ComparisonBasis,
    seed: UInt64, jobs: Int, _ objects: @Sendable () -> ObjectResults?
  ) -> (Aggregation, RunStatistics, ObjectResults?) {
    let made = concurrentMap(5, threads: jobs) { number -> Summary in
      var bootstrap = SceneBootstrap(seed: seed)
      return switch number {
      case 0:
        .compared(
          RunStatistics.compared(records, references: references, basis: basis, mode: mode, bootstrap))
      case 1: .aggregation(Aggregation(records, mode: mode))
      case 2: .bins(BinIntervals(records, mode: mode, &bootstrap))
      case 3: .cumulative(CumulativeErrors.all(records, mode: mode, &bootstrap))
      default: .objects(objects())
      }
    }
    guard case .compared(let compared) = made[0], case .aggregation(let aggregation) = made[1],
      case .bins(let bins) = made[2], case .cumulative(let cumulative) = made[3],
      case .objects(let objects) = made[4]
    else { preconditionFailure("each in its place") }
    return (aggregation, RunStatistics(compared, cumulative, bins), objects)
  }

  /// What was made of the rows holds only where the disk gave all of them back.
  /// - Throws: `FathomError` `.inputOutput`.
  public func requireWhole() throws(FathomError) {
    try records.requireWhole()
    try objects?.records.requireWhole()
  }

  /// A paired comparison on this run's frames.
  public func comparison(
    of method: String, against reference: String, column: MetricColumn, form: PairedComparison.Form
  ) -> PairedComparison? { statistics.comparison(of: method, against: reference, column: column, form: form) }

  /// A method as it was asked for, compared over all scenes: "ols" is `ols@depth` in one scene and `ols@disparity` in another.
  public func comparison(
    of selection: MethodSelection, against reference: String, column: MetricColumn,
    form: PairedComparison.Form
  ) -> PairedComparison? {
    let ids = Dictionary(
      scenes.map { ($0.name, selection.method(for: $0.relativeKind).id) },
      uniquingKeysWith: { first, _ in first })
    let distinct = Set(ids.values)
    if distinct.count == 1, let id = distinct.first {
      return comparison(of: id, against: reference, column: column, form: form)
    }
    let label = "selection " + selection.description
    let panel = ScenePanel(
      records, mode: plan.rules.aggregation, fallback: basis.standIn, holding: [column.position]
    ) { record in
      guard ids[record.scene] == record.method else { return [record] }
      var renamed = record
      renamed.method = label
      return [record, renamed]
    }
    var bootstrap = SceneBootstrap(seed: plan.seed)
    return PairedComparison(label, against: reference, column: column, form: form, in: panel, &bootstrap)
  }
}

extension EvaluationRun {
  /// What its tables divide the truth by.
  public var breakdowns: [Breakdown] {
    Breakdown.all.compactMap { breakdown in
      switch breakdown.id {
      case Breakdown.confidence.id: basis.hasLidar ? breakdown : nil
      case Breakdown.maskID: plan.labels.map(Breakdown.mask)
      default: breakdown
      }
    }
  }
}

extension EvaluationRun {
  /// What follows the name of a method whose maps saw the truth.
  public static let fittedMark = "(fitted to the truth)"

  /// Whether a method's maps were fitted to the truth before they were scored, so that its numbers measure shape and no app
  /// reaches them. With a LiDAR the protocol says so, for all methods alike.
  public func isFittedToTruth(_ method: String) -> Bool {
    guard !basis.hasLidar else { return false }
    guard plan.rules.alignment.fit == .byKind else { return plan.rules.isOracle }
    return scenes.methodsWithoutUnit.contains(method)
  }
}

/// A file that a run was to use and could not.
public struct UnreadableFile: Sendable, Hashable {
  /// The file's name without folder and extension.
  public var name: String
  /// Why, in one line.
  public var reason: String
  public init(name: String, reason: String) { (self.name, self.reason) = (name, reason) }
}
