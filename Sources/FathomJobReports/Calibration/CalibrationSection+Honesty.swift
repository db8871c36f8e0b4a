import DepthReport
import FathomDocuments
import FathomPlainText
import DepthCalibration

extension CalibrationSection {
  /// Whether the noise model keeps its promises.
  static func honesty(_ run: CalibrationRun) -> CalibrationSection {
    var section = CalibrationSection("Is the noise model honest?")
    let checks = run.checks.sorted { $0.level > $1.level }
    section.findings = checks.map(sentence)
    section.sentences = checks.map { check in
      let alone = check.coverages.first { $0.nominal == 0.95 }?.noiseOnly
      return
        "What `calibration.yaml` says at \(CalibrationWords.level(check.level)), ±1.96·σ(d) by a and b alone, contains "
        + "\(alone.map { CalibrationWords.value($0).text } ?? Quantity.none) % of the errors: \(check.noiseOnlyVerdict.rawValue)."
    }
    guard let first = checks.first else { return section }
    section.tables = [Table(table(checks))]
    section.figures = [CalibrationFigures.coverage(checks), CalibrationFigures.transform(checks)]
    section.notes = [
      "Judged on \(first.judged.rawValue)"
        + (first.judged == .ownData
          ? ": there is nothing to hold out, so the model looks better than it is."
          : ": \(first.folds) models, each tested on data that it was not fitted to."),
      "An interval counts as wrong if the fraction at 68, 90 or 95 % is more than 2 % off, or that at 99 % more than 0.5 %, "
        + "and its own interval excludes the stated fraction; otherwise it is undecided. `pit.csv` holds the histograms of the probability integral transform: flat where the model is honest, "
        + "with a hump if it is too wide, with high ends if it is too narrow.",
    ]
    return section
  }

  private static func sentence(_ check: PredictiveCheck) -> String {
    func shares(_ value: (PredictiveCheck.Coverage) -> PredictiveCheck.Share) -> String {
      check.coverages.filter { PredictiveCheck.deciding.contains($0.nominal) }
        .map { Quantity.fixed(value($0).value * 100, 1) }.joined(separator: ", ")
    }
    let judged =
      switch check.judged {
      case .otherScenes: "on scenes that it has not seen"
      case .otherFrames: "on frames of the scene that it has not seen"
      case .ownData: "on its own data"
      }
    return
      "\(CalibrationWords.level(check.level).capitalizedFirst): intervals of 68, 90, 95 and 99 % hold \(shares(\.model)) % of the errors \(judged): "
      + "the noise model \(words(check.verdict, check)). By a and b alone, the values in `calibration.yaml`, \(shares(\.noiseOnly)) %: "
      + "that \(words(check.noiseOnlyVerdict, check))."
  }

  private static func words(_ verdict: PredictiveCheck.Verdict, _ check: PredictiveCheck) -> String {
    switch verdict {
    case .honest: check.isUntested(verdict) ? "agrees with its own data, which is not a test" : "is honest"
    case .undecided: "is off, possibly by chance"
    case .tooNarrow: "is too narrow"
    case .tooWide: "is too wide"
    case .wrongShape: "is too wide at some shares and too narrow at others"
    }
  }

  private static func table(_ checks: [PredictiveCheck]) -> DisplayTable {
    DisplayTable(
      columns: [.init("promised [%]")]
        + checks.flatMap { check in
          [
            .init("confidence \(check.level), model [%]"),
            .init("confidence \(check.level), a and b alone [%]"),
          ]
        },
      cells: PredictiveCheck.nominals.indices.map { index in
        [.init(Quantity(PredictiveCheck.nominals[index], .decimals(0, times: 100)))]
          + checks.flatMap { check in
            [
              .init(CalibrationWords.value(check.coverages[index].model)),
              .init(CalibrationWords.value(check.coverages[index].noiseOnly)),
            ]
          }
      })
  }
}
