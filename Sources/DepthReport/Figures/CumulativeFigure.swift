import FathomPlainText
import DepthCharts
import DepthEvaluation
import DepthVerdicts

/// Share of the truth pixels with an error below x: the whole distribution instead of one mean.
enum CumulativeFigure {
  static func figure(_ methods: FigureMethods) -> Chart? {
    let curves = methods.few.compactMap { method in
      methods.run.statistics.cumulative.first { $0.method == method }
    }
    guard !curves.isEmpty else { return nil }
    let limits = Array(ErrorCounts.limits.prefix(limitCount(curves)))
    let measure = FigureMeasure(.coverage)
    let length = methods.run.plan.units.display
    let series = curves.map { curve in
      measure.series(
        methods.title(curve.method), x: limits.map { $0 * length.scale },
        Array(curve.shares.prefix(limits.count)),
        Array(curve.intervals.prefix(limits.count)), style: .linePoints, look: methods.look([curve.method]))
    }
    return Chart(
      "cumulative-error", title: "How many pixels have an error below a limit", alt: alt(curves, methods),
      x: ChartAxis("absolute error", unit: length.symbol, isLogarithmic: true),
      y: ChartAxis("truth pixels with a smaller error", unit: measure.unit, range: 0...100), series: series,
      caption:
        "The higher and the farther left a curve, the more pixels are right to that limit. A curve that ends below the top has pixels without depth."
    )
  }

  /// Up to where every curve has reached its end, to a thousandth.
  private static func limitCount(_ curves: [CumulativeErrors]) -> Int {
    let ends = curves.map { curve in
      (curve.shares.firstIndex { $0 > (curve.shares.last ?? 0) - 0.001 } ?? curve.shares.count - 1) + 1
    }
    return max(2, ends.max() ?? 2)
  }

  private static func alt(_ curves: [CumulativeErrors], _ methods: FigureMethods) -> String {
    let length = methods.run.plan.units.display
    let quoted = [0.01, 0.1].compactMap { ErrorCounts.limits.firstIndex(of: $0) }
    let words = curves.map { curve in
      "\(methods.name(curve.method)) "
        + quoted.map {
          "\(Quantity(curve.shares[$0], .percent()).text) below \(Quantity(ErrorCounts.limits[$0], .significant(3, times: length.scale, unit: length.symbol ?? "")).text)"
        }.joined(separator: ", ")
    }
    let partial = methods.partial(curves.map(\.method)).map { " \($0)." } ?? ""
    return
      "Share of the truth pixels whose absolute error is below a limit, over the limit, \(methods.means(of: curves.map(\.method))); a missing prediction is below no limit. Higher and farther left is better. \(words.joined(separator: "; ")).\(partial) \(methods.selection); cumulative.csv holds every method."
  }
}
