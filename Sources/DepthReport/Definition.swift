import DepthEvaluation

/// Where a document says what a name means: rows of its tables of definitions, which the first cell names.
enum Definition {
  /// "definition-mae_m"
  static func anchor(_ metric: Metric) -> String { prefix + metric.id }
  /// "definition-ols" of "ols@disparity": the form of a fit changes nothing of what it is.
  static func anchor(method: String) -> String { prefix + method.prefix { $0 != "@" } }
  static let prefix = "definition-"
}
