import DepthCore
public import DepthEvaluation
public import FathomStatistics

/// Intervals, tests and ranks of a run (domain §4). The scene is the unit.
public struct RunStatistics: Sendable {
  /// Resamples behind every interval.
  public static let resamples = SceneResamples.drawn
  /// Every pair of methods, per headline column and form, with Holm's correction over the pairs of each. Pairs without
  /// a common frame are here too, without a comparison.
  public let pairs: [Pair]
  /// Ranks over the headline columns; empty for fewer than five scenes.
  public let rankings: [MethodRanking]
  /// Share of the truth pixels below each limit of the error, by method.
  public let cumulative: [CumulativeErrors]

  /// Two methods, in the order of the run.
  public struct Pair: Sendable {
    public let first: String, second: String, column: MetricColumn
    public let form: PairedComparison.Form
    /// nil where no frame has both.
    public let comparison: PairedComparison?
  }

  private let compared: Comparisons, binIntervals: BinIntervals

  /// What is made of the values of all methods.
  typealias Compared = (compared: Comparisons, pairs: [Pair], rankings: [MethodRanking])

  /// What is known of values, and of pairs, over the frames that they have in common.
  struct Comparisons: Sendable {
    let panel: ScenePanel
    var bootstrap: SceneBootstrap
    var intervals: [String: [ConfidenceInterval?]] = [:]
    var comparisons: [Key: PairedComparison] = [:]
  }

  init(_ compared: Compared, _ cumulative: [CumulativeErrors], _ binIntervals: BinIntervals) {
    (self.compared, pairs, rankings) = compared
    (self.cumulative, self.binIntervals) = (cumulative, binIntervals)
  }

  /// - Parameter references: Methods that all others are compared with: the baseline and `spec`.
  /// - Parameter basis: What methods are compared on, and who stands in.
  /// - Parameter bootstrap: With the run's seed; with the scenes' names it determines every resample.
  static func compared(
    _ records: RowStore<FrameRecord>, references: [String], basis: ComparisonBasis, mode: AggregationMode,
    _ bootstrap: SceneBootstrap
  ) -> Compared {
    let panel = ScenePanel(records, mode: mode, fallback: basis.standIn)
    var compared = Comparisons(panel, basis, bootstrap, references: references)
    let headline = panel.holding(basis.headline.map(\.position))
    let pairs = basis.families(basis.headline).flatMap { column, form in
      Self.pairs(column, form, headline, &compared.bootstrap)
    }
    let candidates = panel.methods.filter { !panel.oracles.contains($0) }
    return (
      compared, pairs,
      basis.headline.compactMap { MethodRanking($0, candidates: candidates, in: headline) }
    )
  }

  private static func pairs(
    _ column: MetricColumn, _ form: PairedComparison.Form, _ panel: ScenePanel,
    _ bootstrap: inout SceneBootstrap
  ) -> [Pair] {
    var names: [(String, String)] = []
    for (index, first) in panel.methods.enumerated() {
      for second in panel.methods.dropFirst(index + 1) { names.append((first, second)) }
    }
    var family = names.map {
      PairedComparison($0, against: $1, column: column, form: form, in: panel, &bootstrap)
    }
    family.adjust()
    return zip(names, family).map { names, comparison in
      Pair(first: names.0, second: names.1, column: column, form: form, comparison: comparison)
    }
  }

  /// The interval of a method's value in a column; nil for fewer than four scenes, and for a pooled value that is not a mean.
  public func interval(of method: String, column: MetricColumn) -> ConfidenceInterval? {
    compared.intervals[method]?[column.position]
  }

  /// The interval of a method's error in a bin of a breakdown; nil for fewer than four scenes, and for a metric that is not among
  /// `Breakdown.intervalMetrics`.
  public func interval(
    of method: String, in breakdown: Breakdown, bin: Int, metric: Metric
  ) -> ConfidenceInterval? {
    binIntervals.interval(breakdown.id, method, bin: bin, metric: metric.id)
  }

  /// A comparison; corrected for several where the reference is the baseline or `spec` and the column is among
  /// ``ComparisonBasis/compared``.
  public func comparison(
    of method: String, against reference: String, column: MetricColumn, form: PairedComparison.Form
  ) -> PairedComparison? {
    if let known = compared.comparisons[Key(method, reference, column, form)] { return known }
    var bootstrap = compared.bootstrap
    return PairedComparison(
      method, against: reference, column: column, form: form, in: compared.panel, &bootstrap)
  }

  struct Key: Hashable {
    let method: String, reference: String, column: MetricColumn
    let form: PairedComparison.Form

    init(_ method: String, _ reference: String, _ column: MetricColumn, _ form: PairedComparison.Form) {
      (self.method, self.reference, self.column, self.form) = (method, reference, column, form)
    }
  }
}

extension RunStatistics.Comparisons {
  /// Every method's values, and the others against each reference in the columns that are compared.
  fileprivate init(
    _ panel: ScenePanel, _ basis: ComparisonBasis, _ fresh: SceneBootstrap, references: [String]
  ) {
    (self.panel, bootstrap) = (panel, fresh)
    for method in panel.methods { intervals[method] = MetricColumn.all.map { _ in nil } }
    for group in panel.groups {
      let part = panel.holding(group)
      for method in panel.methods {
        for column in group {
          intervals[method]?[column] = bootstrap.interval(of: part.values(of: method, column: column))
        }
      }
      let compared = basis.compared.filter { group.contains($0.position) }
      for reference in references.firstAppearances where panel.methods.contains(reference) {
        let others = panel.methods.filter { $0 != reference }
        for (column, form) in basis.families(compared) {
          var family = others.map {
            PairedComparison($0, against: reference, column: column, form: form, in: part, &bootstrap)
          }
          family.adjust()
          for case let member? in family {
            comparisons[RunStatistics.Key(member.method, reference, column, form)] = member
          }
        }
      }
    }
  }
}

extension ComparisonBasis {
  /// Comparisons that are corrected for together.
  fileprivate func families(_ columns: [MetricColumn]) -> [(MetricColumn, PairedComparison.Form)] {
    columns.flatMap { column in forms.map { (column, $0) } }
  }
}
