import DepthCharts
import DepthCore
import DepthEvaluation
import DepthFusion

/// What a method covers against how wrong it is there: an error alone rewards leaving out what is hard.
struct CoverageFigure {
  private typealias Point = (method: String, coverage: Double, error: Double)

  /// More looks cannot be told apart; the rest share one.
  private static let mostNamed = 13

  private let methods: FigureMethods
  private let points: [Point]

  static func figure(_ methods: FigureMethods) -> Figure? { CoverageFigure(methods)?.figure }

  private init?(_ methods: FigureMethods) {
    self.methods = methods
    let coverages = CoverageOfTruth(methods.run)
    points = methods.run.aggregation.summary.compactMap { row in
      guard let error = row.value(FigureMeasure.mae.column), let coverage = coverages.value(row.method)
      else { return nil }
      return (row.method, coverage, error)
    }
    guard !points.isEmpty else { return nil }
  }

  private var figure: Figure {
    let measure = FigureMeasure.mae
    let few = points.count <= Self.mostNamed
    let front = points.filter { point in
      !methods.oracles.contains(point.method)
        && !points.contains {
          !methods.oracles.contains($0.method) && ($0.coverage, -$0.error) > (point.coverage, -point.error)
            && $0.coverage >= point.coverage && $0.error <= point.error
        }
    }.map(\.method)
    let wanted = (methods.few + front).firstAppearances.prefix(Self.mostNamed)
    let order = methods.few + points.map(\.method)
    let named = order.firstAppearances.filter { few || wanted.contains($0) }
    let others = points.filter { !named.contains($0.method) }
    func series(_ name: String, _ points: [Point]) -> ChartSeries {
      measure.series(
        name, x: points.map { 100 * $0.coverage }, points.map(\.error), points.map { _ in nil },
        style: .points)
    }
    let all = named.compactMap { name in
      points.first { $0.method == name }.map { series(methods.title(name), [$0]) }
    }
    return .chart(
      Chart(
        "coverage-error", title: "Coverage against error", alt: alt,
        x: ChartAxis("truth pixels with a value, refused frames included", unit: "%", range: range),
        y: ChartAxis(
          "\(measure.title) on what is covered", unit: measure.unit,
          isLogarithmic: measure.axis(points.map(\.error)).isLogarithmic),
        // Those of other figures first, so that they look the same in all.
        series: all + (others.isEmpty ? [] : [series("\(others.count) other methods", others)])
          + silent.map { ChartSeries($0, x: [0], y: [nil], style: .points) }))
  }

  /// The app's own fusion where it ran and gave nothing: no point, but a name.
  private var silent: [String] {
    let names = methods.run.aggregation.summary.filter { $0.value(FigureMeasure.mae.column) == nil }.map(
      \.method)
    return MethodSelection.literal.map(\.id).filter(names.contains)
  }

  /// From below the least coverage to everything.
  private var range: ClosedRange<Double> {
    let least = 100 * (points.map(\.coverage).min() ?? 0)
    return max(-0.5, min(95, (least / 5).rounded(.down) * 5 - 5))...100.5
  }

  private var alt: String {
    let words = points.sorted { ($0.error, $0.method) < ($1.error, $1.method) }.map {
      "\($0.method) \(FigureMeasure.mae.text($0.error)) on \(Rounded.percent($0.coverage))"
    }
    let shown = words.prefix(10).joined(separator: ", ")
    let more = words.count > 10 ? " and \(words.count - 10) more up to \(words.last ?? "")" : ""
    return
      "Mean absolute error on the truth pixels that a method covers, over their share, one point per method; refused frames count as not covered. Farther right and lower is better. \(shown)\(more)."
      + (methods.without(FigureMeasure.mae.column).map { " \($0)." } ?? "")
  }
}

/// Share of the truth that each method covers, a refused frame counting as none of it.
struct CoverageOfTruth {
  private let run: EvaluationRun
  /// Truth pixels by frame; only frames that have any.
  private let pixels: [String: [Int: Int]]

  init(_ run: EvaluationRun) {
    self.run = run
    pixels = run.records.reduce(into: [:]) { pixels, record in
      if let errors = record.errors {
        pixels[record.scene, default: [:]][record.frameIndex] = errors.truthCount
      }
    }
  }

  /// nil where the method ran in no frame with truth.
  func value(_ method: String) -> Double? {
    let rows = run.records.filter { $0.method == method }
    let byScene = Dictionary(grouping: rows, by: \.scene)
    let scenes = rows.map(\.scene).firstAppearances.map { scene in
      (byScene[scene] ?? []).compactMap { row -> (share: Double, weight: Double)? in
        guard let count = pixels[scene]?[row.frameIndex] else { return nil }
        let weight = run.plan.rules.aggregation == .pooled ? Double(count) : 1
        return (row.value(.coverage) ?? 0, weight)
      }
    }.filter { !$0.isEmpty }
    func mean(_ parts: [(share: Double, weight: Double)]) -> Double {
      parts.reduce(0) { $0 + $1.share * $1.weight } / parts.reduce(0) { $0 + $1.weight }
    }
    guard !scenes.isEmpty else { return nil }
    return run.plan.rules.aggregation == .scene
      ? mean(scenes.map { (mean($0), 1) }) : mean(Array(scenes.joined()))
  }
}
