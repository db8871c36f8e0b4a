public import DepthEvaluation
public import FathomStatistics

/// What two runs are compared in: a metric of `frames.csv`, or how often a method delivers.
public struct ComparedColumn: Sendable, Identifiable, Hashable {
  /// "mae_m_measured", "frames_solved".
  public let id: String
  /// The metric's column; nil for ``framesSolved``.
  public let metric: MetricColumn?
  /// For people: "MAE, measured pixels".
  public let title: String
  public let unit: Metric.Unit, direction: Metric.Direction
  /// How charts show it.
  public let display: DisplayUnit

  /// Share of the shared frames that a method solved.
  public static let framesSolved = ComparedColumn(
    id: "frames_solved", metric: nil, title: "frames solved", unit: .share, direction: .higherIsBetter,
    display: Metric.Unit.share.display)

  /// Every column of `MetricColumn.all`, and ``framesSolved``.
  public static let all = MetricColumn.all.map { ComparedColumn($0) } + [framesSolved]

  /// A metric's column.
  public init(_ column: MetricColumn) {
    let metric = column.metric
    self.init(
      id: column.id, metric: column, title: metric.title + (column.support.title.map { ", \($0)" } ?? ""),
      unit: metric.unit, direction: metric.direction, display: metric.display)
  }

  private init(
    id: String, metric: MetricColumn?, title: String, unit: Metric.Unit, direction: Metric.Direction,
    display: DisplayUnit
  ) {
    (self.id, self.metric, self.title) = (id, metric, title)
    (self.unit, self.direction, self.display) = (unit, direction, display)
  }

  public static func named(_ id: String) -> ComparedColumn? { all.first { $0.id == id } }
  public static func == (left: ComparedColumn, right: ComparedColumn) -> Bool { left.id == right.id }
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// By how much a difference is for the worse: positive is worse. nil where neither direction is.
  public func worsening(_ difference: Double) -> Double? {
    switch direction {
    case .lowerIsBetter: difference
    case .higherIsBetter: -difference
    case .zeroIsBest: nil
    }
  }

  /// Forms in which it is compared: how much a method delivers is a matter of all frames.
  var forms: [RunDifference.Form] {
    metric?.metric.isZeroWhereRefused ?? true ? [.all] : [.solved, .fallback]
  }
}
