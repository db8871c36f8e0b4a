import DepthCore

/// Which truth pixels a metric looks at.
public enum Support: String, Sendable, CaseIterable {
  /// Every truth pixel of the protocol.
  case all = ""
  /// Those where the bilinear LiDAR map has a value: every comparison with the raw LiDAR is made here.
  case measured = "_measured"
  /// The rest.
  case filled = "_filled"

  /// For people: "measured pixels"; nil for all of them.
  public var title: String? {
    switch self {
    case .all: nil
    case .measured: "measured pixels"
    case .filled: "filled pixels"
    }
  }
}

/// A metric on a support: one column of the tables, and the key to its value in a row.
public struct MetricColumn: Identifiable, Sendable, Hashable, CustomStringConvertible {
  /// What is measured.
  public let metric: Metric
  /// Where.
  public let support: Support
  /// Stable column name: "abs_rel_measured".
  public var id: String { metric.id + support.rawValue }
  public var description: String { id }
  /// For people: "MAE on measured pixels".
  public var title: String { metric.title + (support.title.map { " on \($0)" } ?? "") }
  /// Place among ``all``, and among the values of a row.
  public let position: Int

  private init(_ metric: Metric, _ support: Support, at position: Int) {
    (self.metric, self.support, self.position) = (metric, support, position)
  }

  /// The column of this id; nil where there is none.
  public init?(id: String) {
    guard let column = Self.byID[id] else { return nil }
    self = column
  }

  /// A metric's column.
  /// - Precondition: It is one of ``all``.
  public init(_ metric: Metric, _ support: Support = .all) {
    guard let column = Self.byID[metric.id + support.rawValue] else {
      preconditionFailure("\(metric.id) has no column\(support.rawValue)")
    }
    self = column
  }

  public static func == (left: MetricColumn, right: MetricColumn) -> Bool { left.position == right.position }
  public func hash(into hasher: inout Hasher) { hasher.combine(position) }

  /// Every column that `frames.csv` may have, in order; see `EvaluationRun.columns`.
  public static let all: [MetricColumn] = {
    // Readers of the file know the columns of a part of the pixels in this order, in which MAE stands before RMSE.
    let split = ([.absRel, .mae] + Metric.depth).firstAppearances
    let columns: [(Metric, Support)] =
      Metric.depth.map { ($0, .all) }
      + [Support.measured, .filled].flatMap { support in
        split.filter { $0.supports.contains(support) }.map { ($0, support) }
      } + (Metric.structure + Metric.extended).map { ($0, .all) }
    return columns.enumerated().map { MetricColumn($1.0, $1.1, at: $0) }
  }()

  /// Those of runs with a LiDAR.
  public static let standard = all.filter { !Metric.extended.contains($0.metric) }
  /// The others, of a pass of their own.
  public static let extended = all.filter { Metric.extended.contains($0.metric) }
  private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
  public static let coverage = MetricColumn(.coverage), absRel = MetricColumn(.absRel)
  public static let absRelMeasured = MetricColumn(.absRel, .measured)
  public static let mae = MetricColumn(.mae)
  /// What sentences, tuning and gates are about: pixels where a comparison with the raw LiDAR is possible.
  public static let maeMeasured = MetricColumn(.mae, .measured)
  public static let maeFilled = MetricColumn(.mae, .filled), rmse = MetricColumn(.rmse)
  public static let rmseLog = MetricColumn(.rmseLog), bias = MetricColumn(.bias)
  public static let ause = MetricColumn(.ause), aurg = MetricColumn(.aurg)
  public static let temporalAbsRel = MetricColumn(.temporalAbsRel)
  public static let flicker = MetricColumn(.flicker)
}
