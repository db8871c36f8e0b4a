import DepthEvaluation

/// The methods of a run as charts need them: which are named, which looked at every frame, which look at the truth.
struct FigureMethods {
  let run: EvaluationRun
  /// Those that a chart of lines shows: the baseline, the app's own where they solved anything, and the best three.
  let few: [String]

  /// Of the best that lines are drawn for.
  private static let bestCount = 3

  init(_ run: EvaluationRun) {
    self.run = run
    let solved = run.aggregation.summary.filter { $0.framesSolved > 0 && !$0.isOracle }.map(\.method)
    let named = [run.baseline, "spec", "shipped"].firstAppearances.filter(solved.contains)
    let gains = solved.filter { !named.contains($0) }.compactMap { method in
      Self.gain(method, in: run).map { (method: method, gain: $0) }
    }
    // A stable sort: methods that gain alike stay in the order of the run.
    let best = gains.enumerated().sorted { ($1.element.gain, $0.offset) < ($0.element.gain, $1.offset) }
    few = named + best.prefix(Self.bestCount).map(\.element.method)
  }

  var baseline: String { run.baseline }

  /// The best of those that are neither the baseline nor the app's own; nil where there is none.
  var best: String? { few.first { ![run.baseline, "spec", "shipped"].contains($0) } }

  var oracles: Set<String> { Set(run.aggregation.summary.filter(\.isOracle).map(\.method)) }

  /// Scenes that have truth pixels under some method.
  var sceneCount: Int { Set(run.records.lazy.filter { $0.errors != nil }.map(\.scene)).count }

  /// How many frames have a value in a column, by method.
  func frames(with column: String) -> [String: Int] {
    guard let index = MetricColumn.index(of: column) else { return [:] }
    return run.records.reduce(into: [:]) { counts, record in
      if !record.values.isEmpty, record.values[index] != nil { counts[record.method, default: 0] += 1 }
    }
  }

  /// "lidar-bilinear (baseline)", "auto".
  func title(_ method: String) -> String {
    method == run.baseline ? "\(method) (baseline)" : oracles.contains(method) ? "\(method) (oracle)" : method
  }

  /// "means over 6 scenes with 95 % intervals over scenes".
  var means: String {
    let average =
      switch run.plan.rules.aggregation {
      case .scene: "means over \(sceneCount) scenes"
      case .images: "means over all frames of \(sceneCount) scenes"
      case .pooled: "means over all pixels of \(sceneCount) scenes"
      }
    return sceneCount == 1
      ? "one scene, so no intervals" : "\(average) with 95 % intervals over scenes"
  }

  /// "Without any value: spec"; nil where every method has one.
  func without(_ column: String) -> String? {
    let names = run.aggregation.summary.filter { $0.value(column) == nil }.map(\.method)
    return names.isEmpty ? nil : "Without any value: \(names.joined(separator: ", "))"
  }

  /// Share by which the error is lower than the baseline's, the raw LiDAR standing in where one refused: so that a
  /// method gains nothing by leaving out hard frames.
  private static func gain(_ method: String, in run: EvaluationRun) -> Double? {
    if let gain = run.comparison(
      of: method, against: run.baseline, column: Findings.headline, form: .fallback)?.relativeGain
    {
      return gain
    }
    // Without measured pixels nothing is paired; the order by error is what is left.
    return run.aggregation.summary.first { $0.method == method }?.value(Metric.mae.id).map { -$0 }
  }
}
