import FathomPlainText
import DepthCharts
import DepthEvaluation
import DepthVerdicts

/// The error that remains when the least confident pixels are excluded, compared with an ideal order and none.
enum SparsificationFigure {
  static func figure(_ methods: FigureMethods) -> Chart? {
    func curve(_ method: String?) -> MeanSparsification? {
      methods.run.aggregation.sparsification.first { $0.method == method }
    }
    let baseline = curve(methods.baseline)
    // Where the best method is the raw LiDAR under another name, its curves would hide the baseline's.
    let best = curve(methods.best).flatMap { best in
      zip(best.byError, baseline?.byError ?? []).contains { abs($0 - $1) > 1e-6 * $1 } || baseline == nil
        ? best : nil
    }
    let curves = [baseline, best].compactMap(\.self)
    guard !curves.isEmpty else { return nil }
    let removed = (0..<Sparsification.steps).map { 100 * MeanSparsification.removedShare($0) }
    func series(_ name: String, _ values: [Double], isReference: Bool = false, look: Int? = nil)
      -> ChartSeries
    {
      ChartSeries(
        name, x: removed, y: values.map { $0 * FigureMeasure.absRel.scale }, style: .line,
        isReference: isReference, look: look)
    }
    let lines = curves.flatMap { curve in
      let look = methods.look([curve.method])
      // The ideal in the colour of its method, and dashed.
      return [
        series("\(curve.method), by confidence", curve.byConfidence, look: look),
        series(
          "\(curve.method), by error (ideal)", curve.byError, look: look + ChartSeries.colourCount),
        series(
          "\(curve.method), at random", removed.map { _ in curve.random }, isReference: true),
      ]
    }
    return Chart(
      "sparsification", title: "Does leaving out unsure pixels leave out errors?", alt: alt(curves, methods),
      x: ChartAxis("pixels removed", unit: "%", range: 0...100),
      y: ChartAxis("\(FigureMeasure.absRel.title) of the rest", unit: FigureMeasure.absRel.unit),
      series: lines,
      caption:
        "If confidence predicts the error, its curve falls towards the ideal one as pixels of low confidence are removed. If it stays level, confidence does not predict the error."
    )
  }

  private static func alt(_ curves: [MeanSparsification], _ methods: FigureMethods) -> String {
    let half = Sparsification.steps / 2
    let words = curves.map { curve in
      let texts = [curve.random, curve.byConfidence[half], curve.byError[half]].map {
        FigureMeasure.absRel.text($0)
      }
      return
        "\(curve.method) has an AbsRel of \(texts[0]), of \(texts[1]) without the least confident half and of \(texts[2]) without the worst half"
    }
    let basis = curves.map {
      "\($0.method): \(counted($0.frames, "frame")) of \(counted($0.scenes, "scene"))"
    }.joined(separator: ", ")
    return
      "Mean relative error of the remaining pixels, over the fraction removed: the least confident, the worst (ideal), or any. A falling curve by confidence shows that confidence predicts the error; the nearer to the ideal, the better. \(words.joined(separator: "; ")). \(basis). sparsification.csv holds every method."
  }
}
