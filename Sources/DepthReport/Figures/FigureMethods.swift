import FathomPlainText
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthVerdicts

/// The methods of a run as charts need them: which are named, which looked at every frame, which look at the truth.
struct FigureMethods {
  let run: EvaluationRun
  /// Those that a chart of lines shows: the baseline, the first networks' own maps or, without any, the app's own fusion where it has
  /// depth, and the best three of those that have depth in the most frames.
  let few: [String]
  /// The best of those that are neither the baseline nor the app's own; nil where there is none.
  let best: String?
  private let networks: [String]  // Networks' maps that are in the data, with depth.
  private let support: ValueSupport  // What errors rest on.
  /// Lines for networks' maps, and for the best of the others.
  private static let networkCount = 3, bestCount = 3

  init(_ run: EvaluationRun, _ ranking: RankingVerdict) {
    self.run = run
    let solved = run.aggregation.summary.filter { $0.framesSolved > 0 && !$0.isOracle }.map(\.method)
    let support = ValueSupport(run, column: .mae)
    self.support = support
    sceneCount =
      run.records.reduce(into: Set<String>()) { scenes, record in
        if record.errors != nil { scenes.insert(record.scene) }
      }.count
    networks = run.plan.methods.filter { $0.role == .stored }.map(\.description).filter(solved.contains)
    let app = MethodSelection.literal.map(\.id)
    let named = ([run.baseline] + (networks.isEmpty ? app : Array(networks.prefix(Self.networkCount))))
      .firstAppearances.filter(solved.contains)
    let ranked = ranking.placed.flatMap(\.ids).filter { solved.contains($0) && support.isComplete($0) }
    best = ranked.first { $0 != run.baseline && !app.contains($0) }
    few = named + ranked.filter { !named.contains($0) }.prefix(Self.bestCount)
  }

  var baseline: String { run.baseline }
  var oracles: Set<String> { Set(run.aggregation.summary.filter(\.isOracle).map(\.method)) }
  let sceneCount: Int  // Scenes that have truth pixels under some method.
  /// As people call it.
  func name(_ method: String) -> String { run.name(of: method) }

  /// The look of a method in every chart: its place in ``few``, or one after those.
  /// - Parameter ids: The method's forms for different relative maps.
  func look(_ ids: Set<String>) -> Int {
    let order = (few + run.aggregation.summary.map(\.method)).firstAppearances
    return order.firstIndex(where: ids.contains) ?? order.count
  }

  /// "lidar-bilinear (baseline)", "auto", "mynet (baseline, fitted to the truth)".
  func title(_ method: String) -> String {
    let marks = [
      method == run.baseline ? "baseline" : oracles.contains(method) ? "oracle" : nil,
      run.isFittedToTruth(method) ? "fitted to the truth" : nil,
    ].compactMap(\.self)
    return name(method) + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")
  }

  /// "means over 6 scenes with 95 % intervals over scenes".
  /// - Parameter shown: Methods of the chart; where one of them has fewer scenes, that is said.
  /// - Parameter available: Scenes that the chart has; nil for all.
  func means(of shown: [String], in available: Int? = nil) -> String {
    let sceneCount = available ?? sceneCount
    let isFewer = shown.contains { support.of($0).scenes < sceneCount }
    let word = run.sceneWord + "s"
    let scenes = isFewer ? "the \(word) that a method has, at most \(sceneCount)," : "\(sceneCount) \(word)"
    let average =
      switch run.plan.rules.aggregation {
      case .scene: "means over \(scenes)"
      case .images: "means over all \(run.frameWord)s of \(scenes)"
      case .pooled: "means over all pixels of \(scenes)"
      }
    return IntervalNotes.chart(average, scenes: sceneCount)
  }

  /// "On fewer than 33 frames, easier or harder ones: smoothed 20 (2 scenes)"; nil where all have as many.
  /// - Parameter values: What the chart's values rest on; nil for errors of every truth pixel.
  func partial(_ shown: [String], values: ValueSupport? = nil) -> String? {
    let support = values ?? support
    let words = shown.filter { !oracles.contains($0) && !support.isComplete($0) }.map { method in
      let own = support.of(method)
      return "\(name(method)) \(own.frames)"
        + (own.scenes < support.most.scenes && !run.isOfSingleImages
          ? " (\(own.scenes) of \(support.most.scenes) scenes)" : "")
    }
    guard !words.isEmpty else { return nil }
    return
      "On fewer than \(support.most.frames) \(run.frameWord)s, easier or harder ones: \(words.listed(atMost: 8))"
  }

  /// "Not the whole truth of its frames is covered by lidar-bilinear (98.2 %), …"; nil where it is.
  func coveringLess(_ shown: [String]) -> String? {
    let words = shown.compactMap { method -> String? in
      let coverage = run.aggregation.summary.first { $0.method == method }?.value(.coverage)
      return coverage.flatMap { $0 < 0.999 ? "\(name(method)) (\(Quantity($0, .percent()).text))" : nil }
    }
    guard !words.isEmpty else { return nil }
    return
      "The truth of its frames is only partly covered by \(words.listed(atMost: 8)), so their errors are only of the covered part"
  }

  /// What a chart of ``few`` shows, and what not: the end of its description.
  var selection: String {
    guard run.basis.hasLidar else {
      return few.count == networks.count
        ? "Shown are all networks" : "Shown are \(few.count) of \(networks.count) networks"
    }
    let own =
      networks.isEmpty
      ? "the app's own fusion where it has any depth"
      : networks.count > Self.networkCount
        ? "the first \(Self.networkCount) of \(networks.count) networks' maps" : "the networks' maps"
    return
      "Shown are the baseline, \(own), and the three best of the other methods that have depth in the most frames"
  }

  /// "Without any value: spec"; nil where every method has one.
  func without(_ column: MetricColumn) -> String? {
    let names = run.aggregation.summary.filter { $0.value(column) == nil }.map { name($0.method) }
    return names.isEmpty ? nil : "Without any value: \(names.joined(separator: ", "))"
  }
}
