import DepthReport
import FathomDocuments
import FathomRunFolders
import FathomTables
import FathomPlainText
public import DepthCalibration
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import FathomStatistics

extension CalibrationSection {
  /// What the calibration gains on scenes that it has not seen, with `gain.csv`.
  public static func gain(_ gain: HeldOutGain, _ found: CalibrationVerdict) -> CalibrationSection {
    var section = CalibrationSection("Gain on scenes that the calibration has not seen")
    section.files = [("gain.csv", table(gain))]
    if let objection = found.gainObjection {
      section.sentences = ["The gain cannot be shown: \(words(objection))."]
      section.findings = section.sentences
      return section
    }
    let gains = found.headlineGains
    section.findings = gains.filter { $0.method != MethodSelection.ols.id }.map(sentence)
    section.sentences = gains.map(sentence)
    section.tables = [Table(display(gain))]
    section.notes = [
      "\(gain.folds?.description ?? ""): correction, registration, weights and noise come from other scenes than the evaluated ones. At most \(GainTrial.mostFrames) frames of a scene; only pixels that the LiDAR measures; "
        + "default options otherwise."
    ]
    section.notes += IntervalNotes.sentences(gain.scenes, units: counted(gain.scenes, "scene"))
    return section
  }

  private static func display(_ gain: HeldOutGain) -> DisplayTable {
    DisplayTable(
      columns: [
        .text("method"), .text("error"), .init("without"), .init("with"), .init("difference"),
        .init("scenes"), .text(""),
      ],
      rows: gain.rows.map { row in
        let metric = row.column.metric
        func text(_ value: Double?) -> String {
          value.map { Quantity.fixed($0 * metric.display.scale, metric.unit == .metre ? 2 : 3) } ?? "–"
        }
        let comparison = row.comparison
        let bounds = comparison?.interval.map { " [\(text($0.low)), \(text($0.high))]" } ?? ""
        return [
          row.method, metric.title + (metric.display.symbol.map { " [\($0)]" } ?? ""),
          text(comparison?.referenceValue), text(comparison?.value), text(comparison?.difference) + bounds,
          "\(comparison?.scenes ?? 0)", row.verdict.rawValue,
        ]
      })
  }

  private static func words(_ objection: HeldOutGain.Objection) -> String {
    switch objection {
    case .noRelativeMap: "no scene has a relative map to fuse"
    case .oneScene: "there is only one scene, so no scene is unseen"
    case .noNoiseModel: "a part of the scenes is not enough for a noise model"
    }
  }

  private static func sentence(_ row: CalibrationVerdict.Gain) -> String {
    guard let difference = row.difference else {
      return "`\(row.method)` fused no frame: no gain can be shown."
    }
    var change =
      "MAE \(Quantity(row.without, .length).text) → \(Quantity(row.with, .length).text), difference "
      + "\(Quantity.fixed(difference.value * 1000, 2)) mm"
    if let low = difference.low, let high = difference.high {
      change += " [\(Quantity.fixed(low * 1000, 2)), \(Quantity.fixed(high * 1000, 2))]"
    }
    switch row.outcome {
    case .improves: return "On unseen scenes the calibration improves `\(row.method)`: \(change)."
    case .worsens: return "On unseen scenes the calibration makes `\(row.method)` worse: \(change)."
    case .undecided:
      return "On unseen scenes the calibration does not improve `\(row.method)` significantly: \(change)."
    case .tooFewScenes:
      return
        "On unseen scenes, with the calibration, `\(row.method)`: \(change); fewer than \(HeldOutGain.fewestScenes) scenes cannot distinguish that from chance."
    case .notShown:
      return "Whether the calibration improves `\(row.method)` on unseen scenes cannot be shown."
    }
  }

  private static func table(_ gain: HeldOutGain) -> DataTable {
    let (ofMetric, few) = (ColumnMeaning.ofMetric, CalibrationTables.fewScenes)
    return DataTable(
      of: "method × metric",
      [
        CommonColumn.method { $0.method }, .metric { $0.column.metric.id }, .support { $0.column.support },
        .number(
          "without", "mean without the calibration", unit: ofMetric, missing: "nothing was solved",
          \.comparison?.referenceValue),
        .number(
          "with", "mean with a calibration that did not see the scene", unit: ofMetric,
          missing: "nothing was solved"
        ) { $0.comparison?.value },
        .number(
          "difference", "with − without", unit: ofMetric, missing: "nothing was solved",
          \.comparison?.difference),
        .number(
          "difference_low", "lower end of its 95 % interval over scenes", unit: ofMetric, missing: few,
          \.comparison?.interval?.low),
        .number(
          "difference_high", "upper end of it", unit: ofMetric, missing: few, \.comparison?.interval?.high),
        .integer("scenes", "scenes that have a value") { $0.comparison?.scenes ?? 0 },
        .integer("frames", "frames that have a value") { $0.comparison?.frames ?? 0 },
        .text("verdict", "whether the calibration is better, worse, or neither is shown", \.verdict.rawValue),
      ], gain.rows)
  }
}
