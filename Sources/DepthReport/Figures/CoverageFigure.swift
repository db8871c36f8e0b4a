import FathomRunFolders
import FathomPlainText
import DepthCharts
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthVerdicts

/// What a method covers against how wrong it is there: an error alone rewards leaving out what is hard.
struct CoverageFigure {
  private typealias Point = (method: String, coverage: Double, error: Double)
  private static let mostNamed = 13  // More styles cannot be distinguished; the rest share one.
  private let methods: FigureMethods, points: [Point]
  static func figure(_ methods: FigureMethods) -> Chart? { CoverageFigure(methods)?.figure }

  private init?(_ methods: FigureMethods) {
    self.methods = methods
    let coverages = CoverageOfTruth(methods.run)
    points = methods.run.aggregation.summary.compactMap { row in
      guard let error = row.value(.mae), let coverage = coverages.value(row.method) else { return nil }
      return (row.method, coverage, error)
    }
    // Where all cover the same, the points stand above each other, and the chart of errors has said it all.
    let shares = points.map(\.coverage)
    guard let least = shares.min(), let most = shares.max(), most - least >= Self.leastDifference else {
      return nil
    }
  }

  private static let leastDifference = 0.002  // Coverages that are closer are drawn at one place.

  private var figure: Chart {
    let measure = FigureMeasure(.mae, methods.run.plan.units)
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
    func series(_ name: String, _ points: [Point], look: Int? = nil) -> ChartSeries {
      measure.series(
        name, x: points.map { 100 * $0.coverage }, points.map(\.error), points.map { _ in nil },
        style: .points, look: look)
    }
    let all = named.compactMap { name in
      points.first { $0.method == name }.map { series(methods.title(name), [$0], look: methods.look([name])) }
    }
    return Chart(
      "coverage-error", title: "Coverage against error", alt: alt,
      x: ChartAxis("truth pixels with a value, refused frames included", unit: "%", range: range),
      y: ChartAxis(
        "\(measure.title) on what is covered", unit: measure.unit,
        isLogarithmic: measure.axis(points.map(\.error)).isLogarithmic),
      // Those of other figures first, so that they look the same in all.
      series: all + (others.isEmpty ? [] : [series("\(others.count) other methods", others)])
        + silent.map { ChartSeries($0, x: [0], y: [nil], style: .points) },
      caption:
        "Lower right is best: small errors on much of the truth. A method that skips hard pixels moves to the left."
    )
  }

  /// The app's own fusion where it ran and gave nothing: no point, but a name.
  private var silent: [String] {
    let names = methods.run.aggregation.summary.filter { $0.value(.mae) == nil }.map(\.method)
    return MethodSelection.literal.map(\.id).filter(names.contains)
  }

  /// From below the least coverage to everything.
  private var range: ClosedRange<Double> {
    let least = 100 * (points.map(\.coverage).min() ?? 0)
    return max(-0.5, min(95, (least / 5).rounded(.down) * 5 - 5))...100.5
  }

  private var alt: String {
    let measure = FigureMeasure(.mae, methods.run.plan.units)
    let words = points.sorted { ($0.error, $0.method) < ($1.error, $1.method) }.map {
      "\(methods.name($0.method)) \(measure.text($0.error)) on \(Quantity($0.coverage, .percent()).text)"
    }
    let shown = words.prefix(10).joined(separator: ", ")
    let more = words.count > 10 ? " and \(words.count - 10) more up to \(words.last ?? "")" : ""
    return
      "Mean absolute error on the truth pixels that a method covers, over their share, one point per method; refused frames count as not covered. Farther right and lower is better. \(shown)\(more)."
      + (methods.without(.mae).map { " \($0)." } ?? "")
  }
}
