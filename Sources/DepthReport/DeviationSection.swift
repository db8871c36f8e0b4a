import FathomDocuments
import DepthEvaluation
import DepthFusion
public import DepthVerdicts
import FathomPlainText
import FathomStatistics

/// How honest the standard deviations are that networks state of their maps, and what their confidences are worth: sentences for the terminal and
/// the report, and tables.
public struct DeviationSection {
  private let run: EvaluationRun
  public init(_ run: EvaluationRun) { self.run = run }

  /// nil where no map states any.
  var section: ReportDocument.Section? {
    guard !run.deviations.isEmpty else { return nil }
    let scenes = run.deviations.map(\.scenesWithValue).max() ?? 0
    return .init(
      "deviation", "How sure is each pixel",
      [
        .list(sentences),
        .paragraph(
          isOfDeviations
            ? "σ is the standard deviation that a network or method states of each pixel, e = d − g, z = e/σ. Of honest σ the intervals d ± z·σ hold as many pixels as "
              + "they say, z has mean 0 and half-width 1, and the slope of root-mean-square error on σ is 1; of two honest σ the smaller is better. "
              + "`deviation.csv` holds every scene, `deviation_bins.csv` the histogram of the probability integral transform."
            : "A confidence has an order and no scale. `deviation.csv` holds every scene."),
        .table(
          "deviation",
          caption:
            "Stated \(isOfDeviations ? "standard deviations" : "confidences")\(IntervalNotes.suffix(scenes)).",
          table),
        .table(
          "retained",
          caption:
            "Pixels that a threshold keeps\(scenes > 1 ? ", each scene under the threshold that the others choose" : ""), and their mean |d − g|\(IntervalNotes.suffix(scenes)).",
          retained),
      ])
  }

  private var isOfDeviations: Bool { run.deviations.contains { !$0.isOfConfidence } }

  private var retained: DisplayTable {
    let lengths = run.plan.units.display
    return DisplayTable(
      columns: [
        .text("method"), .text("kept"), .init("pixels [%]"),
        .init("error" + (lengths.symbol.map { " [\($0)]" } ?? ""), .lowerIsBetter),
      ],
      cells: run.deviations.flatMap { result in
        result.retained.map { row in
          [
            run.cell(of: result.method), .init(threshold(row, result) ?? "all"),
            .init(row.share, .percent, interval: row.shareInterval),
            .init(row.error, lengths, interval: row.errorInterval),
          ]
        }
      })
  }

  /// "confidence ≥ 1.83", "σ ≤ 12.3 mm"; nil for every pixel.
  private func threshold(_ row: RetainedPixels, _ result: DeviationResult) -> String? {
    row.threshold.map { threshold in
      result.isOfConfidence
        ? "confidence ≥ \(Quantity.significant(threshold, 4))"
        : "σ ≤ \(Quantity(threshold, .length).text)"
    }
  }

  private static let columns: [(score: DeviationScore, title: String, direction: Metric.Direction?)] = [
    (.coverage50, "in 50 % intervals", nil), (.coverage80, "in 80 %", nil), (.coverage95, "in 95 %", nil),
    (.meanZ, "mean z", nil), (.halfWidthZ, "half-width of z", nil), (.sharpness, "mean σ", nil),
    (.slope, "slope", nil), (.crps, "CRPS", .lowerIsBetter),
    (.logScore, "negative log score", .lowerIsBetter),
    (.ause, "AUSE", .lowerIsBetter), (.explained, "share of the ideal order", .higherIsBetter),
  ]

  private func display(_ score: DeviationScore) -> DisplayUnit {
    switch score.unit {
    case .share: .percent
    case .metre: run.plan.units.display
    default: .number
    }
  }

  var table: DisplayTable {
    let columns = isOfDeviations ? Self.columns : Self.columns.suffix(2)
    return DisplayTable(
      columns: [.text("method")]
        + columns.map { column in
          .init(column.title + (display(column.score).symbol.map { " [\($0)]" } ?? ""), column.direction)
        } + (isOfDeviations ? [.init("σ times, for 95 %")] : []),
      cells: run.deviations.map { result in
        [run.cell(of: result.method)]
          + columns.map {
            .init(result.whole.value($0.score), display($0.score), interval: result.interval($0.score))
          } + (isOfDeviations ? [.init(Quantity(result.whole.factor, .significant(3)))] : [])
      })
  }

  // MARK: Sentences

  /// What there is to say of each method.
  public var sentences: [String] { run.deviations.flatMap(sentences) }

  private func sentences(_ result: DeviationResult) -> [String] {
    let whole = result.whole
    let name = "**\(run.name(of: result.method).literal)**"
    var sentences: [String] = []
    if result.isOfConfidence {
      let order = order(result)
      sentences.append(order.map { "\(name)'s confidence \($0)." } ?? "\(name) states no usable confidence.")
    } else if let coverage = whole.value(.coverage95) {
      sentences.append("\(name)'s σ \(size(result, coverage)).")
      if let order = order(result) { sentences.append("\(name)'s σ \(order).") }
    } else {
      sentences.append("\(name) states no usable σ.")
    }
    if let share = whole.value(.unusable), share > 0 {
      let few =
        "\(Quantity(share, .significant(2, times: 100, unit: "%")).text) of \(name)'s pixels have no usable \(result.isOfConfidence ? "confidence (not a number)" : "σ (0, negative or not a number)") and are skipped here."
      // What follows is then of a part.
      sentences.insert(few, at: share < 0.05 ? sentences.count : 0)
    }
    if let advice = retention(result) { sentences.append(advice) }
    let bias = result.interval(.meanZ)
    if let mean = whole.value(.meanZ), abs(mean) >= 0.3, bias?.excludesZero ?? true {
      sentences.append(
        "\(name) has a bias that σ does not describe: on average d − g is \(Quantity(mean, .supported().signed, low: bias?.low, high: bias?.high).text) times σ."
      )
    }
    // "ols" in a calibration is "ols@disparity" in the rows.
    let family = result.method.prefix { $0 != "@" }
    if run.plan.options.deviationScales?.contains(where: {
      [result.method, String(family)].contains($0.method)
    }) == true {
      sentences.append("\(name)'s σ is the stated one times the factors of the calibration.")
    }
    if run.isFittedToTruth(result.method), !result.isOfConfidence {
      sentences.append(
        "\(name)'s maps were fitted to the truth, and its σ was scaled by the derivative of that fit.")
    }
    return sentences
  }

  /// "is 1.9 times too small: its 95 % intervals hold 71 % [65, 77] of the pixels; multiplied by 2.1 they would hold 95 %"
  private func size(_ result: DeviationResult, _ coverage: Double) -> String {
    let interval = result.interval(.coverage95)
    let held =
      "its 95 % intervals hold \(Quantity(coverage, .supported(times: 100, unit: "%"), low: interval?.low, high: interval?.high).text) of the pixels"
    let isRight = interval.map { ($0.low...$0.high).contains(0.95) } ?? (abs(coverage - 0.95) <= 0.01)
    let typical = result.whole.typicalFactor
    let isTypical = typical.map { (1 / 1.1...1.1).contains($0) } ?? false
    func times(_ factor: Double) -> String {
      "\(Quantity.significant(max(factor, 1 / factor), 2)) times too \(factor > 1 ? "small" : "large")"
    }
    if isRight {
      return "agrees with its errors at 95 %: \(held)"
        + (isTypical ? "" : typical.map { "; for typical errors it is \(times($0))" } ?? "")
    }
    let isSmall = coverage < 0.95
    let judgement =
      if typical == nil {
        "is more than \(isSmall ? "4,000 times too small" : "250 times too large")"
      } else if let typical, !isTypical {
        (typical > 1) == isSmall
          ? (result.whole.factor.map { (0.8...1.25).contains($0 / typical) } ?? true
            ? "is \(times(typical))"
            : "is \(result.whole.factor.map(times) ?? "") at 95 % and \(times(typical)) for typical errors")
          : "is \(times(typical)) for typical errors and too \(isSmall ? "small" : "large") for the largest"
      } else {
        "fits typical errors and is too \(isSmall ? "small" : "large") for the largest"
      }
    let scaled =
      result.whole.factor.map {
        "multiplied by \(Quantity.significant($0, (0.9...1.1).contains($0) ? 3 : 2)) they would hold 95 %"
      }
      ?? (isSmall
        ? "no factor up to 2,000 would make them hold 95 %"
        : "multiplied by less than 0.002 they would hold 95 %")
    let isOtherUnit = result.whole.factor.map { $0 > 200 || $0 < 1 / 200 } ?? true
    return "\(judgement): \(held); \(scaled)\(isOtherUnit ? " (is it in another unit?)" : "")"
  }

  /// "To remove mynet's worst pixels, keep those with confidence ≥ 1.83: 80 % [78, 82] of the pixels, with a mean error of …"
  private func retention(_ result: DeviationResult) -> String? {
    guard let gain = result.whole.value(.aurg), gain > 0, result.interval(.aurg)?.excludesZero ?? true,
      let row = result.retained.knee, let all = result.retained.first, let threshold = threshold(row, result)
    else { return nil }
    let lengths = run.plan.units.display
    func error(_ row: RetainedPixels) -> String {
      Quantity(
        row.error, .supported(times: lengths.scale, unit: lengths.symbol ?? ""), low: row.errorInterval?.low,
        high: row.errorInterval?.high
      ).text
    }
    let share = Quantity(
      row.share, .supported(times: 100, unit: "%"), low: row.shareInterval?.low, high: row.shareInterval?.high
    )
    return
      "To remove **\(run.name(of: result.method).literal)**'s worst pixels, keep those with \(threshold): \(share.text) of the pixels, with a mean error of \(error(row)) instead of \(error(all))\(result.scenesWithValue > 1 ? "; each scene is judged under the threshold that the others choose" : ", where the threshold was chosen")."
  }

  /// What its order of the pixels is worth.
  private func order(_ result: DeviationResult) -> String? {
    guard let gain = result.whole.value(.aurg), let area = result.whole.value(.ause) else { return nil }
    if gain == 0 {
      return "is the same at every pixel of an image: it does not tell good pixels from bad ones"
    }
    let lengths = run.plan.units.display
    let (interval, bounds) = (result.interval(.aurg), result.interval(.ause))
    let found =
      "AUSE \(Quantity(area, .supported(times: lengths.scale, unit: lengths.symbol ?? ""), low: bounds?.low, high: bounds?.high).text)"
    guard interval?.excludesZero ?? true else {
      return "orders the pixels no better than at random in these scenes (\(found))"
    }
    guard gain > 0 else {
      if result.isOfConfidence {
        return
          "has the wrong order, as an uncertainty would: removing the pixels with the smallest confidence leaves more error than removing as many at random (\(found)); if larger numbers mean less sure, store them with a minus"
      }
      return
        "has the wrong order, as a confidence would: removing the pixels with the largest σ leaves more error than removing as many at random (\(found))"
    }
    let share = result.interval(.explained)
    let explained = Quantity(
      result.whole.value(.explained), .supported(times: 100, unit: "%"), low: share?.low, high: share?.high
    ).text
    return
      "orders the pixels: removing the \(result.isOfConfidence ? "smallest confidence" : "largest σ") first removes \(explained) of the error that removing the largest errors first would (\(found))"
  }
}
