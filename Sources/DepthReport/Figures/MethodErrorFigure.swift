import FathomDocuments
import DepthCharts
import DepthCore
import DepthEvaluation
import DepthVerdicts
import FathomStatistics

/// Error per method: points with whiskers, sorted, oracles set apart, the baseline as a line.
struct MethodErrorFigure {
  private typealias Row = (method: String, value: Double, interval: ConfidenceInterval?)
  static let mostMethods = 36  // More names cannot be read.
  private static let mostOracles = 6
  private let methods: FigureMethods, measure: FigureMeasure
  private let candidates: [Row], oracles: [Row]  // By ascending error.
  private let leftOut: Int, support: ValueSupport

  static func mae(_ methods: FigureMethods) -> Chart? {
    MethodErrorFigure(methods, FigureMeasure(methods.run.basis.mae, methods.run.plan.units))?.figure(
      "mae-by-method",
      subject:
        "Mean absolute error on \(methods.run.basis.hasLidar ? "the pixels that the bilinear LiDAR map measures" : "all truth that counts")"
    )
  }

  static func absRel(_ methods: FigureMethods) -> Chart? {
    MethodErrorFigure(methods, .absRel)?.figure(
      "abs-rel-by-method",
      subject:
        "Mean relative error on every truth pixel that a \(methods.run.basis.hasLidar ? "method" : "map") covers"
    )
  }

  private init?(_ methods: FigureMethods, _ measure: FigureMeasure) {
    (self.methods, self.measure) = (methods, measure)
    support = ValueSupport(methods.run, column: measure.column)
    let run = methods.run
    func rows(oracles: Bool) -> [Row] {
      let rows = run.aggregation.summary.filter { $0.isOracle == oracles }.compactMap { row -> Row? in
        row.value(measure.column).map {
          (row.method, $0, run.statistics.interval(of: row.method, column: measure.column))
        }
      }
      return rows.enumerated().sorted { ($0.element.value, $0.offset) < ($1.element.value, $1.offset) }
        .map(\.element)
    }
    let (all, allOracles) = (rows(oracles: false), rows(oracles: true))
    guard !all.isEmpty || !allOracles.isEmpty else { return nil }
    oracles = Array(allOracles.prefix(Self.mostOracles))
    let room = Self.mostMethods - oracles.count
    let kept = Set((methods.few + all.map(\.method)).firstAppearances.prefix(room))
    candidates = all.count > room ? all.filter { kept.contains($0.method) } : all
    leftOut = all.count + allOracles.count - candidates.count - oracles.count
  }

  private func figure(_ name: String, subject: String) -> Chart {
    let separator = candidates.isEmpty || oracles.isEmpty ? [] : [""]
    let ids = candidates.map(\.method) + separator + oracles.map(\.method)
    let categories = ids.map(methods.name)
    let places = Dictionary(
      ids.enumerated().map { ($1, Double($0)) }, uniquingKeysWith: { first, _ in first })
    func series(_ name: String, _ rows: [Row]) -> ChartSeries? {
      rows.isEmpty
        ? nil
        : measure.series(
          name, x: rows.map { places[$0.method] ?? 0 }, rows.map(\.value), rows.map(\.interval),
          style: .points)
    }
    let isComplete = { (row: Row) in support.isComplete(row.method) }
    let baseline = candidates.first { $0.method == methods.baseline }
    let line = baseline.map { baseline in
      let value = baseline.value * measure.scale
      return ChartSeries(
        methods.title(baseline.method), x: [-0.5, Double(categories.count) - 0.5], y: [value, value],
        style: .line, isReference: true)
    }
    let all = candidates + oracles
    return Chart(
      name,
      title: "\(measure.title) by method"
        + (leftOut > 0 ? ": \(all.count) of \(all.count + leftOut) methods" : ""),
      alt: alt(subject), x: ChartAxis("method"), y: measure.axis(all.map(\.value)),
      series: [
        series("value in every \(methods.run.frameWord)", candidates.filter(isComplete)),
        series("value in some \(methods.run.frameWord)s only", candidates.filter { !isComplete($0) }),
        series("oracle, looks at the truth", oracles), line,
      ].compactMap(\.self), categories: categories, caption: caption)
  }

  private var caption: String {
    [
      "Lower is better.",
      candidates.contains { $0.method == methods.baseline }
        ? "Methods below the dashed line have a lower error than \(methods.name(methods.baseline).literal)."
        : nil,
      candidates.contains { $0.interval != nil }
        ? "Whiskers are 95 % intervals over scenes; two that overlap may still differ on the same frames."
        : nil, oracles.isEmpty ? nil : "Oracles, set apart, look at the truth.",
      MapFits(methods.run).figureNote,
    ].compactMap(\.self).joined(separator: " ")
  }

  private func alt(_ subject: String) -> String {
    var sentences = [
      "\(subject), \(methods.means(of: (candidates + oracles).map(\.method))). Lower is better",
      "In ascending order: " + measure.list(candidates.map { (methods.name($0.method), $0.value) }),
    ]
    if let baseline = candidates.first(where: { $0.method == methods.baseline }) {
      sentences.append(
        "The dashed line is the baseline \(methods.name(baseline.method)), \(measure.text(baseline.value, baseline.interval))"
      )
    }
    if !oracles.isEmpty {
      sentences.append(
        "Set apart, oracles, which look at the truth: "
          + measure.list(oracles.map { (methods.name($0.method), $0.value) }))
    }
    methods.partial(candidates.map(\.method), values: support).map { sentences.append($0) }
    if measure.column == FigureMeasure.absRel.column {
      methods.coveringLess(candidates.map(\.method)).map { sentences.append($0) }
    }
    methods.without(measure.column).map { sentences.append($0) }
    if leftOut > 0 { sentences.append("\(leftOut) methods with larger errors are not shown") }
    return sentences.joined(separator: ". ") + "."
  }
}
