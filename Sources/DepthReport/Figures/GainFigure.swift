import FathomDocuments
import DepthCharts
import DepthEvaluation
import DepthVerdicts
import FathomStatistics

/// What each method changes against the baseline, frame by frame on the same frames: whiskers of methods may overlap
/// where their paired differences do not.
enum GainFigure {
  private typealias Row = (method: String, change: Double, interval: ClosedRange<Double>?)
  /// Per cent; methods that more than double the error would flatten all others.
  private static let greatestChange = 100.0
  private static let leastChange = 1e-4  // Per cent; smaller changes are those of Float32 maps.

  static func figure(_ methods: FigureMethods) -> Chart? {
    let all = rows(methods)
    let fitting = all.filter { $0.change <= greatestChange }
    let rows = Array(fitting.prefix(MethodErrorFigure.mostMethods))
    // Without a change there is nothing to see.
    guard rows.contains(where: { abs($0.change) >= leastChange }) else { return nil }
    // A change is in per cent already.
    let (measure, run) = (FigureMeasure(methods.run.basis.mae, in: DisplayUnit("%")), methods.run)
    let baseline = methods.name(methods.baseline)
    let (pixels, standIn) =
      run.basis.hasLidar
      ? ("measured pixels", ", with the raw LiDAR in place of refused frames") : ("all truth that counts", "")
    let hasIntervals = rows.contains { $0.interval != nil }
    var sentences = [
      "Change of the mean absolute error on \(pixels) against \(baseline) on the same \(run.frameWord)s\(standIn), \(methods.means(of: []))",
      "Below zero is better than the baseline",
      "In ascending order: " + measure.list(rows.map { (methods.name($0.method), $0.change) }),
    ]
    if fitting.count < all.count {
      sentences.append(
        "More than twice the baseline's error, not shown: "
          + all.dropFirst(fitting.count).map { methods.name($0.method) }.joined(separator: ", "))
    }
    if rows.count < fitting.count {
      sentences.append("\(fitting.count - rows.count) worse ones are not shown")
    }
    return Chart(
      "gain-by-method", title: "What each method changes against \(baseline)",
      alt: sentences.joined(separator: ". ") + ".",
      x: ChartAxis(
        "method" + (rows.count < all.count ? " (\(all.count - rows.count) with larger errors not shown)" : "")
      ), y: ChartAxis("change of the \(measure.title)", unit: measure.unit),
      series: [
        ChartSeries(
          "paired change against \(baseline)", x: rows.indices.map(Double.init),
          y: rows.map(\.change), low: hasIntervals ? rows.map { $0.interval?.lowerBound } : nil,
          high: hasIntervals ? rows.map { $0.interval?.upperBound } : nil, style: .points)
      ], categories: rows.map { methods.name($0.method) },
      caption:
        "Below zero is better than \(baseline.literal), \(run.frameWord) by \(run.frameWord) on the same \(run.frameWord)s."
        + (hasIntervals ? " A whisker that crosses zero does not show which one is better." : ""))
  }

  /// By ascending change; without oracles and without methods that solved nothing.
  private static func rows(_ methods: FigureMethods) -> [Row] {
    let run = methods.run
    let rows = run.aggregation.summary.compactMap { row -> Row? in
      guard !row.isOracle, row.framesSolved > 0, row.method != run.baseline,
        let pair = run.comparison(
          of: row.method, against: run.baseline, column: run.basis.mae, form: run.basis.widestForm),
        pair.referenceValue > 0
      else { return nil }
      let scale = 100 / pair.referenceValue
      return (row.method, pair.difference * scale, pair.interval.map { $0.low * scale...$0.high * scale })
    }
    return rows.enumerated().sorted { ($0.element.change, $0.offset) < ($1.element.change, $1.offset) }
      .map(\.element)
  }
}
