import FathomStatistics
import DepthEvaluation
import FathomTables

extension MetricMeaning {
  init(_ metric: Metric) {
    self.init(
      id: metric.id, title: metric.title, unit: metric.unit.rawValue, direction: metric.direction.word,
      definition: metric.formula)
  }

  init(_ metric: ObjectMetric) {
    self.init(
      id: metric.id, title: metric.name, unit: metric.unit, direction: metric.direction.word,
      definition: "\(metric.formula); \(metric.centre.rawValue) over a scene's objects")
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
}

extension Metric.Direction {
  /// What is best.
  package var word: String {
    switch self {
    case .lowerIsBetter: "lower"
    case .higherIsBetter: "higher"
    case .zeroIsBest: "zero"
    }
  }
}
