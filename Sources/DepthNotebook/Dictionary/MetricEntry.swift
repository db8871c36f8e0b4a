import DepthEvaluation

/// What a metric is, for the dictionary; from the definitions that computed it.
struct MetricEntry: Sendable {
  /// As the column `metric` names it.
  let id: String
  /// For people: "RMSE".
  let title: String
  /// "m", "share"; empty for a number without one.
  let unit: String
  /// "lower", "higher" or "zero": what is best.
  let direction: String
  let definition: String

  /// - Parameter support: Breakdowns have metrics that no column of frames holds, on all pixels.
  private init(_ metric: Metric, _ support: Support = .all) {
    (id, unit) = (metric.id + support.rawValue, metric.unit.rawValue)
    direction = metric.direction.word
    switch support {
    case .all: (title, definition) = (metric.title, metric.formula)
    case .measured:
      title = metric.title + " (measured)"
      definition = metric.formula + ", over truth pixels where the bilinear LiDAR map has a value"
    case .filled:
      title = metric.title + " (filled)"
      definition = metric.formula + ", over truth pixels where the bilinear LiDAR map has none"
    }
  }

  private init(_ metric: ObjectMetric) {
    (id, title, unit) = (metric.id, metric.name, metric.unit)
    direction = metric.direction.word
    definition = "\(metric.formula); \(metric.centre.rawValue) over a scene's objects"
  }

  private init(id: String, title: String, unit: String, direction: String, definition: String) {
    (self.id, self.title, self.unit, self.direction) = (id, title, unit, direction)
    self.definition = definition
  }

  /// What is said of a metric that only another version knows.
  static func unknown(_ id: String) -> MetricEntry {
    MetricEntry(
      id: id, title: id, unit: "", direction: "",
      definition: "\(unknownTo); see the documentation of the version that made the run")
  }

  static let unknownTo = "not known to this version of fathom"

  /// The metric of this id.
  static func entry(_ id: String) -> MetricEntry { known[id] ?? unknown(id) }

  private static let known: [String: MetricEntry] = {
    let entries =
      MetricColumn.all.map { MetricEntry($0.metric, $0.support) }
      + (Breakdown.metrics + ProtocolPaths.metrics).map { MetricEntry($0) }
      + ObjectMetric.all.map { MetricEntry($0) } + detections + [wholeCoverage]
    return Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }()

  /// Id of the coverage to which a refused frame adds nothing.
  static let coverageOfAllFrames = "coverage_all_frames"

  private static let wholeCoverage = MetricEntry(
    id: coverageOfAllFrames, title: "coverage, refused frames included", unit: Metric.coverage.unit.rawValue,
    direction: Metric.coverage.direction.word,
    definition: Metric.coverage.formula
      + ", over every frame with truth that the method was asked for; one that it refused counts as 0")

  private static let detections = [
    MetricEntry(
      id: "precision", title: "precision", unit: "share", direction: "higher",
      definition: "matched / (matched + spurious)"),
    MetricEntry(
      id: "recall", title: "recall", unit: "share", direction: "higher",
      definition: "matched / (matched + missed)"),
  ]
}

extension Metric.Direction {
  /// What is best.
  fileprivate var word: String {
    switch self {
    case .lowerIsBetter: "lower"
    case .higherIsBetter: "higher"
    case .zeroIsBest: "zero"
    }
  }
}
