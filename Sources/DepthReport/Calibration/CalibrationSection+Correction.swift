public import DepthCalibration
import DepthFusion

extension CalibrationSection {
  /// Scale and offset of the LiDAR, with `correction.csv`.
  public static func correction(_ fit: CorrectionFit?) -> CalibrationSection {
    var section = CalibrationSection("Scale and offset of the LiDAR")
    guard let fit else {
      section.sentences = ["Too few pixels at confidence 2: no correction is estimated."]
      section.files = [("correction.csv", table([]))]
      return section
    }
    section.findings = [sentence(fit)]
    section.sentences = section.findings
    section.tables = [
      Table(
        DisplayTable(
          columns: [
            .init("d′ = scale·d + offset", numeric: false), .init("value"), .init("95 % interval"),
            .init("identity"),
          ],
          rows: [
            ["scale", Rounded.fixed(fit.correction.scale, decimals: 5), range(fit.scaleInterval, 1, 5), "1"],
            [
              "offset [mm]", Rounded.fixed(fit.correction.offset * 1000, decimals: 2),
              range(fit.offsetInterval, 1000, 2), "0",
            ],
          ]))
    ]
    section.notes = [
      "The error at confidence 2 as a line of the true depth, inverted; Tukey's biweight on relative errors, begun at Huber's estimate, \(fit.samples) kept pixels. "
        + "Intervals by leaving out one of \(fit.units) \(fit.units == 1 ? "unit" : "units") in turn, Student's t; p is Hotelling's, of scale and offset together.",
      "The noise model has a bias line of its own (maximum likelihood, per confidence); the two agree where errors are symmetric.",
    ]
    section.files = [("correction.csv", table([fit]))]
    return section
  }

  private static func sentence(_ fit: CorrectionFit) -> String {
    let (scale, offset) = (fit.correction.scale, fit.correction.offset)
    let found =
      "d′ = \(Rounded.fixed(scale, decimals: 5))·d \(offset < 0 ? "−" : "+") \(Rounded.length(abs(offset)))"
    let p = fit.pValue.map { ", p = \(Rounded.number($0, digits: 2))" } ?? ""
    switch fit.verdict {
    case .recommended: return "The LiDAR is off by a scale and an offset: \(found) corrects it\(p)."
    case .indistinguishable:
      return "No correction of the LiDAR: \(found) is not to be told from none\(p)."
    case .sharedTruth:
      return
        "No correction of the LiDAR: the truth may share its scale and offset (\(found) relative to that truth\(p))."
    case .tooFewScenes:
      return
        "No correction of the LiDAR: \(found) here, but fewer than \(CorrectionFit.fewestScenes) scenes cannot show that it holds elsewhere."
    }
  }

  private static func table(_ fits: [CorrectionFit]) -> DataTable {
    DataTable(
      columns: [
        "scale", "scale_low", "scale_high", "offset_m", "offset_m_low", "offset_m_high", "p", "units",
        "pixels",
        "applied",
      ],
      rows: fits.map { fit in
        [
          .number(fit.correction.scale), .init(fit.scaleInterval?.low), .init(fit.scaleInterval?.high),
          .number(fit.correction.offset), .init(fit.offsetInterval?.low), .init(fit.offsetInterval?.high),
          .init(fit.pValue), .integer(fit.units), .integer(fit.samples),
          .text(fit.verdict == .recommended ? "yes" : "no"),
        ]
      })
  }

  /// "[−0.1, 0.2]"
  static func range(_ interval: Interval?, _ factor: Double, _ decimals: Int) -> String {
    interval.map {
      "[\(Rounded.fixed($0.low * factor, decimals: decimals)), \(Rounded.fixed($0.high * factor, decimals: decimals))]"
    } ?? "–"
  }
}
