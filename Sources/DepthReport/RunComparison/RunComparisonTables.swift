import DepthCore
import DepthEvaluation
import Statistics

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

  /// One row per run, pair of methods, metric and form; those without a common frame have no values.
  static func differences(_ comparison: RunComparison) -> DataTable {
    DataTable(
      columns: [
        "run", "method", "candidate_method", "metric", "form", "scenes", "frames", "reference_value", "value",
        "difference", "low", "high", "percentile_low", "percentile_high", "standard_error", "p", "p_adjusted",
      ],
      rows: comparison.rows.map { label, row in
        let found = row.comparison
        let names: [DataTable.Cell] = [
          .text(label), .text(row.pair.reference), .text(row.pair.candidate), .text(row.column.id),
          .text(row.form.rawValue),
        ]
        return names
          + [
            .integer(found?.scenes ?? 0), .integer(found?.frames ?? 0), .init(found?.referenceValue),
            .init(found?.value), .init(found?.difference),
          ] + SummaryTable.cells(found?.interval)
          + [.init(found?.standardError), .init(found?.test?.pValue), .init(found?.adjustedP)]
      })
  }

  /// What the scenes say in the columns that are asked about.
  static func scenes(_ comparison: RunComparison) -> DataTable {
    let columns = Set(comparison.columns.map(\.id))
    return DataTable(
      columns: [
        "run", "method", "candidate_method", "metric", "form", "scene", "reference_value", "value",
        "difference",
      ],
      rows: comparison.rows.filter { columns.contains($0.row.column.id) }.flatMap { label, row in
        (row.comparison?.sceneDifferences ?? []).map { scene -> [DataTable.Cell] in
          [
            .text(label), .text(row.pair.reference), .text(row.pair.candidate), .text(row.column.id),
            .text(row.form.rawValue), .text(scene.scene), .number(scene.referenceValue), .number(scene.value),
            .number(scene.difference),
          ]
        }
      })
  }

  /// One row per run and option that differs from the reference's.
  static func options(_ comparison: RunComparison) -> DataTable {
    DataTable(
      columns: ["run", "option", "reference_value", "value"],
      rows: comparison.candidates.flatMap { candidate in
        candidate.options.map { change -> [DataTable.Cell] in
          [.text(candidate.label), .text(change.option), .init(change.reference), .init(change.value)]
        }
      })
  }
}

extension RunComparison {
  /// Every row with the name of its run.
  var rows: [(label: String, row: RunDifference)] {
    zip(candidates, differences).flatMap { candidate, found in found.rows.map { (candidate.label, $0) } }
  }

  /// The column that is asked about, then those of the rules.
  var columns: [ComparedColumn] { ([request.metric] + request.rules.map(\.column)).firstAppearances }

  /// "oracle", "sensor" or nothing, for tables that name methods.
  func role(of pair: MethodPair) -> String? {
    if oracles.contains(pair.reference) || oracles.contains(pair.candidate) { return "oracle" }
    return Self.sensors.contains(pair.reference) ? "sensor" : nil
  }

  /// A pair as tables call it.
  func title(_ pair: MethodPair) -> String {
    role(of: pair).map { "\(pair.title) (\($0))" } ?? pair.title
  }
}
