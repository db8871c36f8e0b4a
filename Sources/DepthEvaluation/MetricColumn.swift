/// Which truth pixels a metric looks at.
public enum Support: String, Sendable, CaseIterable {
  /// Every truth pixel of the protocol.
  case all = ""
  /// Those where the bilinear LiDAR map has a value: every comparison with the raw LiDAR is made here.
  case measured = "_measured"
  /// The rest.
  case filled = "_filled"
}

/// A metric on a support: one column of the tables.
public struct MetricColumn: Identifiable, Sendable {
  /// What is measured.
  public let metric: Metric
  /// Where.
  public let support: Support

  /// Stable column name: "abs_rel_measured".
  public var id: String { metric.id + support.rawValue }

  public init(_ metric: Metric, _ support: Support = .all) {
    (self.metric, self.support) = (metric, support)
  }

  /// The columns of `frames.csv`, in order.
  public static let all: [MetricColumn] =
    Metric.depth.map { MetricColumn($0) }
    + [Support.measured, .filled].flatMap { support in
      [Metric.absRel, .mae, .rmse, .delta1].map { MetricColumn($0, support) }
    }
    + Metric.structure.map { MetricColumn($0) }

  /// Position of a column in ``all``.
  public static func index(of id: String) -> Int? { all.firstIndex { $0.id == id } }
}
