import FathomDocuments
import DepthCore
import DepthEvaluation
import DepthVerdicts
import FathomPlainText
import FathomStatistics

/// What the numbers of a run are worth where the truth is not exact.
struct UncertaintyReport {
  private let run: EvaluationRun, deviation: TruthDeviation

  /// nil where the truth counts as exact, or nothing was scored.
  init?(_ run: EvaluationRun) {
    guard let deviation = run.truthDeviation, !run.budgets.isEmpty else { return nil }
    (self.run, self.deviation) = (run, deviation)
  }

  private func result(_ method: String, _ column: MetricColumn) -> MethodBudget? {
    run.budgets.first { $0.method == method && $0.column == column }
  }

  private var hasNoise: Bool { deviation.hasNoise || run.hasTruthDeviation }

  /// "0.002m,scale=1%, and for each pixel as its maps say"
  private var stated: String {
    let maps = "for each pixel as its maps say"
    let numbers = deviation.typed
    guard run.hasTruthDeviation else { return numbers }
    return numbers.isEmpty ? maps : "\(numbers), and \(maps), whose variances are added"
  }

  private func percent(_ share: Double) -> String { Quantity(share, .percent()).text }

  // MARK: In one line

  /// "error of `mynet`: RMSE 21.4 mm ± 1.9 mm (k = 2.1), with the noise of the truth taken out; …"; nil for a method without a value.
  func line(_ method: String) -> String? {
    guard let found = result(method, .rmse) else { return nil }
    let name = run.name(of: method).literal
    let units = run.plan.units
    guard let estimate = found.estimate else {
      return
        "The RMSE of \(name), \(units.text(found.uncorrected)), cannot be corrected: in some scene the noise of the truth explains all of it."
    }
    let corrected =
      hasNoise ? ", with the noise of the truth taken out (before: \(units.text(found.uncorrected)))" : ""
    guard let budget = found.budget else {
      return
        "Error of \(name): RMSE \(units.text(estimate))\(corrected). Without an uncertainty: \(counted(found.scenes, run.sceneWord)), and it needs \(ConfidenceInterval.fewestScenes)."
    }
    let largest =
      budget.components.count > 1 ? budget.components.max { $0.contribution < $1.contribution } : nil
    return "Error of \(name): RMSE \(plusMinus(estimate, budget))\(corrected)."
      + (largest.map { " \(percent(budget.share(of: $0))) of the variance is from \($0.name)." } ?? "")
  }

  /// "21.4 mm ± 1.9 mm (k = 2.1)"
  private func plusMinus(_ value: Double, _ budget: UncertaintyBudget) -> String {
    let units = run.plan.units
    let (low, high) = (value - budget.expanded, value + budget.expanded)
    let display = units.display
    let expanded = Quantity(
      budget.expanded, .significant(2, times: display.scale, unit: display.symbol ?? ""))
    return
      "\(Quantity(value, units.style, low: low, high: high).number) ± \(expanded.text) (k = \(Quantity.fixed(budget.coverageFactor, 1)))"
  }

  // MARK: Offsets

  /// Why an offset is not claimed: it lies within what the truth's scale may be off by. nil where it does not.
  /// - Parameter offset: Metres.
  /// - Parameter range: Depth at which it is, metres.
  func explanation(ofOffset offset: Double, at range: Double) -> String? {
    let limit = Self.coverageFactor * deviation.scale
    guard limit > 0, abs(offset) <= limit * range else { return nil }
    return
      "within what the truth’s scale may be off by (± \(percent(limit)), k = \(Quantity.fixed(Self.coverageFactor, 1)))"
  }

  /// Of a normal distribution, 95 %.
  private static let coverageFactor = NormalDistribution.quantile((1 + UncertaintyBudget.usualCoverage) / 2)

  /// Mean depth of the pixels of a method, metres.
  func meanRange(of methods: [String]) -> Double? {
    run.budgets.first { methods.contains($0.method) }?.meanRange
  }

  // MARK: The section

  var table: DisplayTable {
    let names = run.budgets.flatMap { $0.budget?.components.map(\.name) ?? [] }.firstAppearances
    return DisplayTable(
      columns: [
        .text("method"), .text("measure"), .init("as measured"), .init("corrected"), .init("± U"), .init("k"),
        .init("degrees of freedom"),
      ] + names.map { .init("\($0) [%]") },
      cells: run.budgets.map { row in
        let shares = names.map { name -> DisplayTable.Cell in
          let part = row.budget?.components.first { $0.name == name }
          let share = part.flatMap { row.budget?.share(of: $0) }
          return .init(Quantity(share.map { $0 * 100 }, .decimals(1)))
        }
        let budget = row.budget, display = run.plan.units.display(row.column.metric)
        func cell(_ value: Double?) -> DisplayTable.Cell { .init(value, display) }
        func scaled(_ value: Double?) -> Double? { value.map { $0 * display.scale } }
        let estimate = Quantity(
          scaled(row.estimate), .supported(), low: scaled(row.low), high: scaled(row.high))
        return [
          .init(method: run.name(of: row.method)),
          .init(row.column.metric.title + (display.symbol.map { " [\($0)]" } ?? "")), cell(row.uncorrected),
          .init(estimate), cell(budget?.expanded), .init(Quantity(budget?.coverageFactor, .decimals(2))),
          .init(Quantity(budget?.freedom, .decimals(1))),
        ] + shares
      })
  }

  var notes: [String] {
    let explained = run.budgets.filter { $0.framesExplained > 0 }.map {
      "`\(run.name(of: $0.method).literal)`: \(counted($0.framesExplained, run.frameWord)) of \($0.frames)"
    }
    return [
      "Standard deviations of the truth: \(stated). The components are independent; the percentages are shares of the combined variance. U is for 95 %.",
      hasNoise
        ? "RMSE: in each \(run.frameWord), the mean variance of the truth’s noise is subtracted from the mean square error. The noise must be independent from pixel to pixel and of the prediction."
        : nil,
      deviation.scale > 0
        ? "Truth scale: all truth is taken to be off by the same share; the sensitivity of an RMSE is the largest change within two standard deviations, over these. What a scale error adds to an RMSE is not subtracted."
        : nil,
      deviation.step > 0
        ? "Truth resolution: taken as one offset of all pixels, uniform within a step, which is the worst case."
        : nil,
      hasNoise
        ? "MAE, AbsRel and δ₁: extrapolated from more noise to none, for normal noise that is independent of the prediction. ± U contains the sampling of scenes and the difference between two extrapolations"
          + (deviation.scale + deviation.step > 0
            ? "; none is given here, because what the truth’s scale and resolution add is not known for them."
            : ".")
          + " No value is given where in some scene the noise is more than 0.6 times the RMSE."
        : nil,
      "Not corrected: quantiles and all other metrics, which the truth’s noise changes, too; their intervals are over scenes alone.",
      explained.isEmpty
        ? nil
        : "The truth’s noise explains all of the error, which then counts as 0: \(explained.joined(separator: ", ")).",
    ].compactMap(\.self)
  }
}
