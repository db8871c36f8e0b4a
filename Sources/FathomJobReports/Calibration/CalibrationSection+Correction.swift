import FathomDocuments
import FathomTables
import FathomPlainText
public import DepthCalibration
import DepthFusion

extension CalibrationSection {
  /// Scale and offset of the LiDAR, with `correction.csv`.
  public static func correction(_ fit: CorrectionFit?, _ verdict: CalibrationVerdict) -> CalibrationSection {
    var section = CalibrationSection("Scale and offset of the LiDAR")
    guard let fit, let found = verdict.correction else {
      section.sentences = ["Too few pixels at confidence 2: no correction is estimated."]
      section.files = [("correction.csv", table([]))]
      return section
    }
    section.findings = [sentence(found)]
    section.sentences = section.findings
    section.tables = [
      Table(
        DisplayTable(
          columns: [
            .text("d′ = scale·d + offset"), .init("value"), .init("95 % interval"), .init("identity"),
          ],
          cells: [
            row("scale", fit.correction.scale, fit.scaleInterval, .decimals(5), identity: "1"),
            row(
              "offset [mm]", fit.correction.offset, fit.offsetInterval, .decimals(2, times: 1000),
              identity: "0"),
          ]))
    ]
    section.notes = [
      "The error at confidence 2 as a line of the true depth, inverted; Tukey's biweight on relative errors, begun at Huber's estimate, \(fit.samples) kept pixels. "
        + "Intervals by omitting one of \(fit.units) \(fit.units == 1 ? "unit" : "units") in turn, Student's t; p is Hotelling's, of scale and offset together.",
      "The noise model has a bias line of its own (maximum likelihood, per confidence); the two agree where errors are symmetric.",
    ]
    section.files = [("correction.csv", table([fit]))]
    return section
  }

  private static func sentence(_ correction: CalibrationVerdict.Correction) -> String {
    let (scale, offset) = (correction.scale.value, correction.offset.value)
    let found =
      "d′ = \(Quantity.fixed(scale, 5))·d \(offset < 0 ? "−" : "+") \(Quantity(abs(offset), .length).text)"
    let p = correction.p.map { ", p = \(Quantity($0, .significant(2)).text)" } ?? ""
    switch correction.reason {
    case .recommended: return "The LiDAR is off by a scale and an offset: \(found) corrects it\(p)."
    case .indistinguishable:
      return "No correction of the LiDAR: \(found) cannot be distinguished from none\(p)."
    case .sharedTruth:
      return
        "No correction of the LiDAR: the truth may share its scale and offset (\(found) relative to that truth\(p))."
    case .tooFewScenes:
      return
        "No correction of the LiDAR: \(found) here, but fewer than \(CorrectionFit.fewestScenes) scenes cannot show that it holds elsewhere."
    }
  }

  private static func table(_ fits: [CorrectionFit]) -> DataTable {
    let few = CalibrationTables.fewScenes
    return DataTable(
      of: "correction of the LiDAR: scale · depth + offset",
      [
        .number("scale", "factor on a LiDAR depth") { $0.correction.scale },
        .number("scale_low", "lower end of its 95 % interval", missing: few) { $0.scaleInterval?.low },
        .number("scale_high", "upper end of it", missing: few) { $0.scaleInterval?.high },
        .number("offset_m", "added to it", unit: "m") { $0.correction.offset },
        .number(
          "offset_m_low", "lower end of its 95 % interval", unit: "m", missing: few, \.offsetInterval?.low),
        .number("offset_m_high", "upper end of it", unit: "m", missing: few) { $0.offsetInterval?.high },
        .number("p", "that no correction is needed", missing: few) { $0.pValue },
        .integer("units", "scenes, or blocks of one scene, that it rests on") { $0.units },
        .integer("pixels", "pixels that it is fitted to") { $0.samples },
        .text("applied", "yes where calibration.yaml holds it") { $0.verdict == .recommended ? "yes" : "no" },
      ], fits)
  }

  private static func row(
    _ name: String, _ value: Double, _ interval: Interval?, _ style: Quantity.Style, identity: String
  ) -> [DisplayTable.Cell] {
    [
      .init(name), .init(Quantity(value, style)),
      .init(Quantity(nil, style, low: interval?.low, high: interval?.high).interval), .init(identity),
    ]
  }
}
