public import FathomTables
import DepthCore
package import DepthVerdicts
import FathomStatistics

/// The CSV files of a comparison of runs.
public struct RunComparisonTables: Sendable {
  /// File name and content.
  public let files: [(name: String, table: DataTable)]

  public init(_ comparison: RunComparison) {
    files = [
      ("differences.csv", Self.differences(comparison)), ("scenes.csv", Self.scenes(comparison)),
      ("options.csv", Self.options(comparison)),
    ]
  }

  private typealias Row = (label: String, row: RunDifference)

  /// What a row is about.
  private static func names<Whole>(
    _ basis: ComparisonBasis, _ row: @escaping @Sendable (Whole) -> Row
  ) -> [Column<Whole>] {
    [
      .text("run", "name of the candidate") { row($0).label },
      .text("method", "method of the reference run") { row($0).row.pair.reference },
      .text("candidate_method", "method of the candidate that is compared with it") {
        row($0).row.pair.candidate
      },
      .text("metric", "what is compared: a column of frames.csv, with its pixels, or solved") {
        row($0).row.column.id
      },
      .text(
        "form",
        basis.hasLidar
          ? "solved: frames that both runs solved; fallback: all frames, a run's own raw LiDAR stands in where a method "
            + "refused; all: a refused frame counts as nothing delivered"
          : "solved, fallback: images that both runs solved; all: a refused image counts as nothing delivered"
      ) { row($0).row.form.rawValue },
    ]
  }

  /// One row per run, pair of methods, metric and form; those without a common frame have no values.
  static func differences(_ comparison: RunComparison) -> DataTable {
    let (noFrame, fewScenes) = ("no frame has both", "fewer than two scenes")
    let ofMetric = ColumnMeaning.ofMetric
    let values: [Column<Row>] = [
      .integer("scenes", "scenes with a frame that counts") { $0.row.comparison?.scenes ?? 0 },
      .integer("frames", "frames that count") { $0.row.comparison?.frames ?? 0 },
      .number(
        "reference_value", "mean of the reference on them", unit: ofMetric, missing: noFrame,
        \.row.comparison?.referenceValue),
      .number(
        "value", "mean of the candidate on them", unit: ofMetric, missing: noFrame, \.row.comparison?.value),
      .number(
        "difference", "value − reference_value", unit: ofMetric, missing: noFrame,
        \.row.comparison?.difference),
    ]
    let tests: [Column<Row>] = [
      .number(
        "standard_error", "of the difference, over scenes", unit: ofMetric, missing: fewScenes
      ) { $0.row.comparison?.standardError },
      .number(
        "p", "Wilcoxon's signed-rank test on the scenes' means", missing: fewScenes,
        \.row.comparison?.test?.pValue),
      .number(
        "p_adjusted", "p after Holm's correction over the pairs of methods of the same metric and form",
        missing: fewScenes
      ) { $0.row.comparison?.adjustedP },
    ]
    return DataTable(
      of: "run × pair of methods × metric × form",
      names(comparison.basis) { $0 } + values + CommonColumn.interval { $0.row.comparison?.interval }
        + CommonColumn.bca { $0.row.comparison?.interval } + tests, comparison.rows)
  }

  /// What the scenes say in the columns that are asked about.
  static func scenes(_ comparison: RunComparison) -> DataTable {
    struct Scene: Sendable { let row: Row, difference: PairedComparison.SceneDifference }
    let columns = Set(comparison.columns.map(\.id))
    let ofMetric = ColumnMeaning.ofMetric
    return DataTable(
      of: "run × pair of methods × metric × form × scene",
      names(comparison.basis) { (scene: Scene) in scene.row } + [
        CommonColumn.scene { $0.difference.scene },
        .number(
          "reference_value", "the scene's mean in the reference", unit: ofMetric, \.difference.referenceValue),
        .number("value", "the scene's mean in the candidate", unit: ofMetric) { $0.difference.value },
        .number("difference", "value − reference_value", unit: ofMetric) { $0.difference.difference },
      ],
      comparison.rows.filter { columns.contains($0.row.column.id) }.flatMap { row in
        (row.row.comparison?.sceneDifferences ?? []).map { Scene(row: row, difference: $0) }
      })
  }

  /// One row per run and option that differs from the reference's.
  static func options(_ comparison: RunComparison) -> DataTable {
    struct Change: Sendable { let run: String, change: OptionChange }
    return DataTable(
      of: "run × option that differs",
      [
        .text("run", "name of the candidate") { $0.run },
        .text("option", "dotted name of the option in run.json") { $0.change.option },
        .text(
          "reference_value", "what the reference run had", missing: "it did not know the option",
          \.change.reference),
        .text("value", "what the candidate had", missing: "it did not know the option") { $0.change.value },
      ],
      comparison.candidates.flatMap { candidate in
        candidate.options.map { Change(run: candidate.label, change: $0) }
      })
  }
}

extension RunComparison {
  /// Every row with the name of its run.
  package var rows: [(label: String, row: RunDifference)] {
    zip(candidates, differences).flatMap { candidate, found in found.rows.map { (candidate.label, $0) } }
  }

  /// The column that is asked about, then those of the rules.
  package var columns: [ComparedColumn] { ([request.metric] + request.rules.map(\.column)).firstAppearances }

  /// "oracle", "sensor" or nothing, for tables that name methods.
  package func role(of pair: MethodPair) -> String? {
    if oracles.contains(pair.reference) || oracles.contains(pair.candidate) { return "oracle" }
    return Self.sensors.contains(pair.reference) ? "sensor" : nil
  }

  /// A pair as tables call it.
  package func title(_ pair: MethodPair) -> String {
    role(of: pair).map { "\(pair.title) (\($0))" } ?? pair.title
  }
}
