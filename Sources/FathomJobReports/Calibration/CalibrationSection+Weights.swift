import FathomDocuments
import FathomPlainText
import DepthCalibration
import DepthFusion

extension CalibrationSection {
  /// What a fit should make of the levels.
  static func weights(_ run: CalibrationRun) -> CalibrationSection {
    var section = CalibrationSection("Weights per confidence")
    guard let found = run.weights else {
      section.sentences = ["No level has a noise model: `calibration.yaml` has no weights and no noise."]
      section.findings = section.sentences
      return section
    }
    let weights = found.weights.map { Quantity($0, .significant(2)).text }.joined(separator: " / ")
    let defaults = FusionOptions().confidenceWeights.map { Quantity($0, .significant(2)).text }.joined(
      separator: " / ")
    section.findings = [
      "Weights of confidence 0 / 1 / 2 by 1/σ²: \(weights); the table of `\(flag: "weights") confidence`, \(defaults) by default. A fit with `\(flag: "calibration")` uses every pair's own 1/σ² by default."
    ]
    section.tables = [
      Table(
        DisplayTable(
          columns: [.init("confidence"), .init("weight"), .init("default"), .text("law")],
          rows: [2, 1, 0].map { level in
            [
              "\(level)", Quantity(found.weights[level], .significant()).text,
              Quantity(FusionOptions().confidenceWeights[level], .significant()).text,
              found.unmeasured.contains(level)
                ? "not measured" : run.noise(level: level).map(CalibrationWords.law) ?? "–",
            ]
          }))
    ]
    section.notes = [
      "The mean of 1/σ²(d) over the bins of 0.5 m up to \(Quantity(ConfidenceWeights.farthest, .significant(2)).text) m that have pixels, divided by that of the "
        + "best measured level."
    ]
    if !found.unmeasured.isEmpty {
      section.notes.append(
        "Not measured: confidence \(found.unmeasured.map(String.init).joined(separator: ", ")). In `calibration.yaml` such a level has the law of "
          + "the next better one and weight 0; a level better than all measured ones has law and weight of the best of them."
      )
    }
    return section
  }
}
