public import DepthCalibration
import DepthEvaluation
import DepthFusion
import Statistics

extension CalibrationSection {
  /// What the calibration gains on scenes that it has not seen, with `gain.csv`.
  public static func gain(_ gain: HeldOutGain) -> CalibrationSection {
    var section = CalibrationSection("Gain on scenes that the calibration has not seen")
    section.files = [("gain.csv", table(gain))]
    if let objection = gain.objection {
      section.sentences = ["The gain cannot be shown: \(objection)."]
      section.findings = section.sentences
      return section
    }
    section.findings = gain.rows.filter {
      $0.column == HeldOutGain.columns[0] && $0.method != MethodSelection.ols.id
    }.map(
      sentence)
    section.sentences = gain.rows.filter { $0.column == HeldOutGain.columns[0] }.map(sentence)
    section.tables = [Table(display(gain))]
    section.notes = [
      "\(gain.folds?.description ?? ""): correction, registration, weights and noise all come from scenes that are not evaluated. At most \(GainTrial.mostFrames) frames of a scene; only pixels that the LiDAR measures; "
        + "default options otherwise. Brackets are 95 % intervals over scenes, BCa."
    ]
    if gain.scenes < RunStatistics.fewScenes {
      section.notes.append(
        "With fewer than \(RunStatistics.fewScenes) scenes such intervals are too narrow, and a part of them is little to calibrate on."
      )
    }
    return section
  }

  private static func display(_ gain: HeldOutGain) -> DisplayTable {
    DisplayTable(
      columns: [
        .init("method", numeric: false), .init("error", numeric: false), .init("without"), .init("with"),
        .init("difference"), .init("scenes"), .init("", numeric: false),
      ],
      rows: gain.rows.map { row in
        let metric = row.column.metric
        func text(_ value: Double?) -> String {
          value.map { Rounded.fixed($0 * metric.display.scale, decimals: metric.unit == .metre ? 2 : 3) }
            ?? "–"
        }
        let comparison = row.comparison
        let bounds = comparison?.interval.map { " [\(text($0.low)), \(text($0.high))]" } ?? ""
        return [
          row.method, metric.title + (metric.display.symbol.map { " [\($0)]" } ?? ""),
          text(comparison?.referenceValue),
          text(comparison?.value), text(comparison?.difference) + bounds, "\(comparison?.scenes ?? 0)",
          row.verdict.rawValue,
        ]
      })
  }

  private static func sentence(_ row: HeldOutGain.Row) -> String {
    guard let comparison = row.comparison else {
      return "`\(row.method)` fused no frame: no gain can be shown."
    }
    let change =
      "MAE \(Rounded.length(comparison.referenceValue)) → \(Rounded.length(comparison.value)), difference "
      + "\(Rounded.fixed(comparison.difference * 1000, decimals: 2)) mm"
      + (comparison.interval.map {
        " [\(Rounded.fixed($0.low * 1000, decimals: 2)), \(Rounded.fixed($0.high * 1000, decimals: 2))]"
      } ?? "")
    switch row.verdict {
    case .improves: return "On unseen scenes the calibration improves `\(row.method)`: \(change)."
    case .worsens: return "On unseen scenes the calibration makes `\(row.method)` worse: \(change)."
    case .undecided:
      return
        "On unseen scenes the calibration does not improve `\(row.method)` by what can be told from zero: \(change)."
    case .tooFewScenes:
      return
        "On unseen scenes, with the calibration, `\(row.method)`: \(change); fewer than \(HeldOutGain.fewestScenes) scenes cannot tell that from luck."
    case .notShown:
      return "Whether the calibration improves `\(row.method)` on unseen scenes cannot be shown."
    }
  }

  private static func table(_ gain: HeldOutGain) -> DataTable {
    DataTable(
      columns: [
        "method", "column", "without", "with", "difference", "difference_low", "difference_high", "scenes",
        "frames", "verdict",
      ],
      rows: gain.rows.map { row in
        [
          .text(row.method), .text(row.column.id), .init(row.comparison?.referenceValue),
          .init(row.comparison?.value), .init(row.comparison?.difference),
          .init(row.comparison?.interval?.low),
          .init(row.comparison?.interval?.high), .integer(row.comparison?.scenes ?? 0),
          .integer(row.comparison?.frames ?? 0), .text(row.verdict.rawValue),
        ]
      })
  }
}
