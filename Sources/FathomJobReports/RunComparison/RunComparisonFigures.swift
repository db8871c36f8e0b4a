import DepthReport
public import FathomRunFolders
public import DepthCharts
import DepthCore
import DepthVerdicts
import FathomStatistics

/// The charts of a comparison of runs.
public struct RunComparisonFigures {
  let comparison: RunComparison
  public init(_ comparison: RunComparison) { self.comparison = comparison }
  /// Most scenes that are named on an axis, and most methods that are told apart by colour.
  private static let mostNames = 40, mostSeries = 6
  /// One per column that is asked about, then one per run that differs: its scenes.
  public var all: [Figure] { (comparison.columns.compactMap(methods) + scenes).map(Figure.chart) }
  static func name(_ column: ComparedColumn) -> String { "difference-\(column.id.replacing("_", with: "-"))" }

  /// Every method's difference with its interval, run beside run.
  private func methods(_ column: ComparedColumn) -> Chart? {
    let pairs = comparison.candidates.flatMap(\.shown).firstAppearances
    let scale = DifferenceMeasure(column).scale
    let series = zip(comparison.candidates, comparison.differences).map { candidate, found in
      let rows = pairs.map { found.headline($0, column.id)?.comparison }
      return ChartSeries(
        candidate.label, x: pairs.indices.map(Double.init), y: rows.map { $0.map { $0.difference * scale } },
        low: rows.map { $0?.interval.map { $0.low * scale } },
        high: rows.map { $0?.interval.map { $0.high * scale } }, style: .points)
    }
    guard series.contains(where: { $0.y.contains { $0 != nil } }) else { return nil }
    return Chart(
      Self.name(column), title: "Difference from \(comparison.label): \(column.title)",
      alt: alt(column), x: ChartAxis("method"), y: axis(column), series: series + [zero(pairs.count)],
      categories: pairs.map(comparison.title),
      caption:
        "\(Self.better(column)). If the interval contains zero, the scenes cannot distinguish the runs.")
  }

  private static let mostWords = 8  // More differences cannot be listened to.

  private func alt(_ column: ComparedColumn) -> String {
    let measure = DifferenceMeasure(column)
    let runs = zip(comparison.candidates, comparison.differences).map { candidate, found -> String in
      let rows = candidate.shown.map { ($0, found.headline($0, column.id)?.comparison) }
      let words = rows.compactMap { pair, row in row.map { (pair, $0) } }.enumerated()
        .sorted { ($0.element.1.difference, $0.offset) < ($1.element.1.difference, $1.offset) }
        .map {
          "\(comparison.title($0.element.0)) \(measure.text($0.element.1.difference, $0.element.1.interval))"
        }
      let shown = words.prefix(words.count > Self.mostWords + 1 ? Self.mostWords : words.count)
      let more =
        shown.count < words.count ? " and \(words.count - shown.count) more up to \(words.last ?? "")" : ""
      let without = rows.filter { $0.1 == nil }.map { comparison.title($0.0) }
      return "\(candidate.label) in ascending order: \(shown.joined(separator: ", "))\(more)."
        + (without.isEmpty ? "" : " Without a value in both runs: \(without.joined(separator: ", ")).")
    }
    let scenes = zip(comparison.candidates, comparison.differences).flatMap { candidate, found in
      candidate.shown.compactMap { found.headline($0, column.id)?.comparison?.scenes }
    }
    let (fewest, most) = (scenes.min() ?? 0, scenes.max() ?? 0)
    let means = IntervalNotes.chart(
      "means over \(fewest == most ? "" : "\(fewest) to ")\(most) scenes", scenes: most)
    return
      "\(RunComparisonFindings.title(column)) of each method minus that of the same method in \(comparison.label), on the frames that both runs have, \(means)\(measure.remark). \(Self.better(column)). \(runs.joined(separator: " "))"
  }

  /// The scenes' differences of the methods that changed most.
  private var scenes: [Chart] {
    let column = comparison.request.metric
    return zip(comparison.candidates.indices, comparison.differences).compactMap { index, found in
      let candidate = comparison.candidates[index]
      let rows = candidate.shown.compactMap { found.headline($0, column.id)?.comparison }
      let changed = zip(candidate.shown, rows).filter { _, row in
        row.sceneDifferences.contains { $0.difference != 0 }
      }.enumerated().sorted {
        (-abs($0.element.1.difference), $0.offset) < (-abs($1.element.1.difference), $1.offset)
      }.prefix(Self.mostSeries).sorted { $0.offset < $1.offset }.map(\.element)
      guard !changed.isEmpty else { return nil }
      let names = changed.flatMap { $0.1.sceneDifferences.map(\.scene) }.firstAppearances
      guard names.count > 1 else { return nil }
      let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, Double($0)) })
      let series = changed.map { pair, row in
        ChartSeries(
          pair.title, x: row.sceneDifferences.map { places[$0.scene] ?? 0 },
          y: row.sceneDifferences.map { $0.difference * DifferenceMeasure(column).scale }, style: .points)
      }
      let isNamed = names.count <= Self.mostNames
      return Chart(
        comparison.candidates.count == 1 ? "scenes" : "scenes-\(index + 1)",
        title: "Difference by scene: \(candidate.label) − \(comparison.label)",
        alt: alt(column, changed, sceneCount: names.count),
        x: ChartAxis(isNamed ? "scene" : "number of the scene"), y: axis(column),
        series: series + [zero(names.count)], categories: isNamed ? names : nil,
        caption:
          "\(Self.better(column)). A scene far from the others gives a mean that does not represent the rest."
      )
    }
  }

  private func alt(
    _ column: ComparedColumn, _ changed: [(MethodPair, PairedComparison)], sceneCount: Int
  ) -> String {
    let measure = DifferenceMeasure(column)
    let words = changed.compactMap { pair, row -> String? in
      let ordered = row.sceneDifferences.sorted { ($0.difference, $0.scene) < ($1.difference, $1.scene) }
      guard let first = ordered.first, let last = ordered.last else { return nil }
      guard ordered.count > 1 else {
        return "\(pair.title) \(measure.text(first.difference)) in \(first.scene)"
      }
      return
        "\(pair.title) from \(measure.text(first.difference)) in \(first.scene) to \(measure.text(last.difference)) in \(last.scene)"
    }
    return
      "\(RunComparisonFindings.title(column)) of the methods that changed most, minus that in \(comparison.label), in each of \(sceneCount) scenes\(measure.remark). \(Self.better(column)). \(words.joined(separator: "; "))."
  }

  private func zero(_ count: Int) -> ChartSeries {
    ChartSeries(
      "no difference", x: (0..<count).map(Double.init), y: Array(repeating: 0, count: count), style: .line,
      isReference: true)
  }

  private func axis(_ column: ComparedColumn) -> ChartAxis {
    ChartAxis("difference of \(column.title)", unit: DifferenceMeasure(column).unit)
  }

  private static func better(_ column: ComparedColumn) -> String {
    switch column.direction {
    case .lowerIsBetter: "Below zero is better"
    case .higherIsBetter: "Above zero is better"
    case .zeroIsBest: "Neither side is better"
    }
  }
}
