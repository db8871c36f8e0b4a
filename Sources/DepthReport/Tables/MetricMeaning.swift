import DepthEvaluation

/// What a metric is, for the table dictionary; from the definitions that compute it.
public struct MetricMeaning: Codable, Sendable, Equatable {
  /// As the column `metric` names it: "abs_rel".
  public let id: String
  /// For people: "RMSE".
  public let title: String
  /// "m", "share"; empty for a number without one.
  public let unit: String
  /// What is best: "lower", "higher" or "zero".
  public let direction: String
  /// d predicted depth, g true one, e = ln d − ln g.
  public let definition: String

  init(_ metric: Metric) {
    (id, title, unit) = (metric.id, metric.title, metric.unit.rawValue)
    (direction, definition) = (metric.direction.word, metric.formula)
  }

  init(_ metric: ObjectMetric) {
    (id, title, unit, direction) = (metric.id, metric.name, metric.unit, metric.direction.word)
    definition = "\(metric.formula); \(metric.centre.rawValue) over a scene's objects"
  }

  private init(id: String, title: String, unit: String, direction: String, definition: String) {
    (self.id, self.title, self.unit, self.direction) = (id, title, unit, direction)
    self.definition = definition
  }

  /// The coverage to which a refused frame adds nothing.
  static let coverageOfAllFrames = MetricMeaning(
    id: "coverage_all_frames", title: "coverage, refused frames included",
    unit: Metric.coverage.unit.rawValue, direction: Metric.coverage.direction.word,
    definition: Metric.coverage.formula
      + ", over every frame with truth that the method was asked for; one that it refused counts as 0")

  static let precision = MetricMeaning(
    id: "precision", title: "precision", unit: "share", direction: "higher",
    definition: "matched / (matched + spurious)")

  static let recall = MetricMeaning(
    id: "recall", title: "recall", unit: "share", direction: "higher",
    definition: "matched / (matched + missed)")

  /// Every metric that a table may name.
  static let all: [MetricMeaning] =
    Metric.all.map { MetricMeaning($0) } + [coverageOfAllFrames] + ObjectMetric.all.map { MetricMeaning($0) }
    + [precision, recall]

  /// By id.
  static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
}

extension Metric.Direction {
  /// What is best.
  var word: String {
    switch self {
    case .lowerIsBetter: "lower"
    case .higherIsBetter: "higher"
    case .zeroIsBest: "zero"
    }
  }
}
