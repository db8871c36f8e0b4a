/// What two runs are compared in: a metric of `frames.csv`, or how often a method delivers.
public struct ComparedColumn: Sendable, Identifiable, Hashable {
  /// "mae_m_measured", "frames_solved".
  public let id: String
  /// The metric's column; nil for ``framesSolved``.
  public let metric: MetricColumn?
  /// For people: "MAE, measured pixels".
  public let title: String
  public let unit: Metric.Unit
  public let direction: Metric.Direction

  /// Share of the shared frames that a method solved.
  public static let framesSolved = ComparedColumn(
    id: "frames_solved", metric: nil, title: "frames solved", unit: .share, direction: .higherIsBetter)

  /// Every column of ``MetricColumn/all``, and ``framesSolved``.
  public static let all: [ComparedColumn] =
    MetricColumn.all.map { column in
      let support =
        switch column.support {
        case .all: ""
        case .measured: ", measured pixels"
        case .filled: ", filled pixels"
        }
      return ComparedColumn(
        id: column.id, metric: column, title: column.metric.title + support, unit: column.metric.unit,
        direction: column.metric.direction)
    } + [framesSolved]

  /// A column by its id.
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

  /// Forms in which it is compared: whether a method delivers is a matter of all frames.
  var forms: [RunDifference.Form] {
    metric == nil || metric == .coverage ? [.all] : [.solved, .fallback]
  }
}
