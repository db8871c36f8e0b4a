public import DepthEvaluation

/// A confidence level in a range of true depth.
public struct ErrorCell: Hashable, Comparable, Sendable, Codable {
  /// 0, 1 or 2; nil for all of them.
  public var level: Int?
  /// Number of the bin of ``CalibrationPlan/binWidth``; nil for every range.
  public var bin: Int?
  public init(level: Int?, bin: Int?) { (self.level, self.bin) = (level, bin) }

  /// Levels 2, 1, 0, all; in each the whole range first.
  public static func < (a: ErrorCell, b: ErrorCell) -> Bool {
    func key(_ cell: ErrorCell) -> (Int, Int) { (cell.level.map { 2 - $0 } ?? 3, cell.bin ?? -1) }
    return key(a) < key(b)
  }
}

public enum ErrorStatistic: Sendable, CaseIterable {
  /// Share of the pixels with truth from which something came back.
  case coverage
  /// Mean of measured − true, metres.
  case bias
  /// Mean of |measured − true|, metres.
  case mae
  /// 95 % quantile of |measured − true|, metres.
  case p95
  /// Root of the mean square of measured − true, metres.
  case rmse
  /// Median of |measured − true| / true.
  case medianRel

  /// The metric that it is, of the LiDAR's pixels instead of a prediction's.
  public var metric: Metric {
    switch self {
    case .coverage: .coverage
    case .bias: .bias
    case .mae: .mae
    case .p95: .p95AE
    case .rmse: .rmse
    case .medianRel: .medianRel
    }
  }
}
