public import DepthCharts
import DepthEvaluation

/// The charts of a comparison of runs.
public struct RunComparisonFigures {
  let comparison: RunComparison

  public init(_ comparison: RunComparison) { self.comparison = comparison }

  /// Most scenes that are named on an axis, and most methods that are told apart by colour.
  private static let mostNames = 40, mostSeries = 6

  /// One per column that is asked about, then one per run that differs: its scenes.
  public var all: [Figure] { comparison.columns.compactMap(methods) + scenes }

  static func name(_ column: ComparedColumn) -> String { "difference-\(column.id.replacing("_", with: "-"))" }

  /// Every method's difference with its interval, run beside run.
  private func methods(_ column: ComparedColumn) -> Figure? {
    let pairs = comparison.candidates.flatMap(\.pairs).firstAppearances
    let series = zip(comparison.candidates, comparison.differences).map { candidate, found in
      let rows = pairs.map { found.headline($0, column.id)?.comparison }
      return ChartSeries(
        candidate.label, x: pairs.indices.map(Double.init), y: rows.map { $0?.difference },
        low: rows.map { $0?.interval?.low }, high: rows.map { $0?.interval?.high }, style: .points)
    }
    guard series.contains(where: { $0.y.contains { $0 != nil } }) else { return nil }
    return .chart(
      Chart(
        Self.name(column), title: "Difference from \(comparison.label): \(column.title)",
        alt:
          "\(column.title) of each method minus that of the same method in \(comparison.label), on shared frames; bars are 95 % intervals over scenes; \(Self.better(column))",
        x: ChartAxis("method"), y: axis("difference of \(column.title)", column),
        series: series + [zero(pairs.count)], categories: pairs.map(comparison.title)))
  }

  /// The scenes' differences of the methods that changed most.
  private var scenes: [Figure] {
    let column = comparison.request.metric
    return zip(comparison.candidates.indices, comparison.differences).compactMap { index, found in
      let candidate = comparison.candidates[index]
      let rows = candidate.pairs.compactMap { found.headline($0, column.id)?.comparison }
      let changed = zip(candidate.pairs, rows).filter { _, row in
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
          y: row.sceneDifferences.map(\.difference), style: .points)
      }
      let isNamed = names.count <= Self.mostNames
      return .chart(
        Chart(
          comparison.candidates.count == 1 ? "scenes" : "scenes-\(index + 1)",
          title: "Difference by scene: \(candidate.label) − \(comparison.label)",
          alt:
            "\(column.title) of the methods that changed most, minus that in \(comparison.label), scene by scene; \(Self.better(column))",
          x: ChartAxis(isNamed ? "scene" : "number of the scene"),
          y: axis("difference of \(column.title)", column), series: series + [zero(names.count)],
          categories: isNamed ? names : nil))
    }
  }

  private func zero(_ count: Int) -> ChartSeries {
    ChartSeries(
      "no difference", x: (0..<count).map(Double.init), y: Array(repeating: 0, count: count), style: .line,
      isReference: true)
  }

  private func axis(_ title: String, _ column: ComparedColumn) -> ChartAxis {
    ChartAxis(title, unit: column.unit == .none || column.unit == .share ? nil : column.unit.rawValue)
  }

  private static func better(_ column: ComparedColumn) -> String {
    switch column.direction {
    case .lowerIsBetter: "below zero is better"
    case .higherIsBetter: "above zero is better"
    case .zeroIsBest: "neither side is better"
    }
  }
}
