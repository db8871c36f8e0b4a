import DepthEvaluation
import FathomTables

extension ColumnMeaning {
  init(_ column: MetricColumn, _ what: String, missing: String) {
    self.init(
      column.id, .number, unit: column.metric.unit.rawValue, "\(column.title): \(what)", missing: missing,
      metric: column.metric.id, support: column.support.word)
  }
}

extension Support {
  /// As tables name it.
  package var word: String {
    switch self {
    case .all: ColumnMeaning.allPixels
    case .measured: "measured"
    case .filled: "filled"
    }
  }
}
