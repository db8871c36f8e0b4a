import DepthEvaluation
import DepthVerdicts
import FathomStatistics
import FathomTables

/// `budget.csv`: what errors of a method are worth where the truth is not exact: a row for the result, and one for each source of
/// its uncertainty.
enum BudgetTable {
  struct Row: Sendable {
    let result: MethodBudget
    /// nil in the row of the result.
    let component: UncertaintyBudget.Component?
  }

  static func table(_ budgets: [MethodBudget]) -> DataTable {
    DataTable(
      of: "method × measure × component", columns,
      budgets.flatMap { result in
        [Row(result: result, component: nil)]
          + (result.budget?.components ?? []).map { Row(result: result, component: $0) }
      })
  }

  private static let ofResult = "the row is of a component"
  private static let notExpanded =
    "fewer than four scenes, no estimate, or a measure that is extrapolated where the truth has a scale error or steps"

  private static let columns: [Column<Row>] =
    [
      CommonColumn.method { $0.result.method },
      .text(
        "measure",
        "rmse_m, bias_m, and where the truth has noise mae_m, abs_rel and delta_1, over all truth pixels"
      ) { $0.result.column.id },
      .text("component", "source of uncertainty; result: what all of them come to") {
        $0.component?.name ?? "result"
      },
      .number(
        "uncorrected", "the measure as summary.csv has it, in its unit: metres, or a share", missing: ofResult
      ) {
        $0.component == nil ? $0.result.uncorrected : nil
      },
      .number(
        "estimate",
        "the measure with the noise of the truth taken out; a bias needs no correction",

        missing: "\(ofResult), or in some scene the noise explains too much of the error"
      ) { $0.component == nil ? $0.result.estimate : nil },
      .number(
        "low", "lower end of the 95 % interval of the estimate over scenes",
        missing: "\(ofResult), \(notExpanded)"
      ) { $0.component == nil ? $0.result.low : nil },
      .number(
        "high", "upper end of the 95 % interval of the estimate over scenes",
        missing: "\(ofResult), \(notExpanded)"
      ) { $0.component == nil ? $0.result.high : nil },
      .text("distribution", "of the source: normal, student (Student’s t) or uniform", missing: "a result") {
        $0.component?.distribution.rawValue
      },
      .number(
        "standard_uncertainty",
        "of the source: in the unit of the measure, of truth scale a share of the depth, of truth resolution metres; of a result its combined standard uncertainty",
        missing: notExpanded
      ) { $0.component?.standardUncertainty ?? $0.result.budget?.combined },
      .number("sensitivity", "change of the measure by that of the source", missing: "a result") {
        $0.component?.sensitivity
      },
      .number("contribution", "|sensitivity| × standard uncertainty", missing: "a result") {
        $0.component?.contribution
      },
      .number("share", "of the combined variance", unit: "share", missing: "a result") { row in
        row.component.flatMap { row.result.budget?.share(of: $0) }
      },
      .number(
        "degrees_of_freedom", "of a result the effective ones, after Welch and Satterthwaite",
        missing: "infinite, or \(notExpanded)"
      ) { row in
        row.component == nil ? row.result.budget?.freedom : row.component?.freedom
      },
      .number("coverage_factor", "k for 95 %", missing: "\(ofResult), \(notExpanded)") {
        $0.component == nil ? $0.result.budget?.coverageFactor : nil
      },
      .number(
        "expanded_uncertainty", "U = k × combined standard uncertainty",
        missing: "\(ofResult), \(notExpanded)"
      ) { $0.component == nil ? $0.result.budget?.expanded : nil },
      .integer("scenes", "scenes that have a value") { $0.result.scenes },
      .integer("frames", "frames that have a value") { $0.result.frames },
      .integer(
        "frames_explained", "frames whose error the noise of the truth explains alone; they count as 0"
      ) { $0.result.framesExplained },
    ]
}
