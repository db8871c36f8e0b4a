import PlainText
import DepthCalibration
import DepthEvaluation
import DepthFusion
import Statistics

extension CalibrationSection {
  /// Whether more confidence means less error.
  static func order(_ run: CalibrationRun) -> CalibrationSection {
    var section = CalibrationSection("Does more confidence mean less error?")
    let comparisons = run.monotonicity.comparisons
    section.findings =
      (comparisons.first { $0.levels.count == 3 } ?? comparisons.first).map { [sentence($0, run)] } ?? []
    if let value = run.confidence { section.findings.append(sentence(value)) }
    guard !comparisons.isEmpty else {
      section.sentences = [
        "No frame has two levels of confidence with enough pixels: their order cannot be told."
      ]
      return section
    }
    section.tables = [Table(table(run))]
    section.figures = [CalibrationFigures.order(run)].compactMap(\.self)
    section.notes = [
      "Median relative error of a frame's level, where it has at least \(run.plan.fewestForMedian) pixels; for scenes the mean over "
        + "the frames that have all of the levels. Shares have Clopper and Pearson's interval and p is the exact sign test, both over scenes. "
        + "Frames of a scene resemble each other: their count is no test."
    ]
    if run.units == .frameBlocks && run.unitCount > 1 {
      section.notes.append(
        "One scene: the interval of the difference is over its frames and not valid beyond it.")
    }
    return section
  }

  private static func sentence(_ row: Monotonicity.Comparison, _ run: CalibrationRun) -> String {
    let order = row.levels.map(String.init).joined(separator: " < ")
    let frames = "\(row.frames.successes) of \(row.frames.trials) frames"
    let scenes =
      row.scenes.trials > 1 ? "\(row.scenes.successes) of \(row.scenes.trials) scenes and \(frames)" : frames
    let medians = row.levels.reversed().compactMap { level in
      run.table.row(level: level)?.value(.medianRel).map { "\(Quantity($0, .percent(2)).text) at \(level)" }
    }
    let share = Double(row.frames.successes) / Double(max(1, row.frames.trials))
    let verdict = share > 0.95 ? "yes" : share > 0.5 ? "mostly" : "no"
    return
      "More confidence means less error: \(verdict). The median relative errors are in the order \(order) in \(scenes) "
      + "(\(medians.joined(separator: ", ")))."
  }

  private static func sentence(_ value: ConfidenceValue) -> String {
    let (low, high) = (value.auseInterval?.low, value.auseInterval?.high)
    let share = value.ause + value.aurg > 0 ? value.aurg / (value.ause + value.aurg) : nil
    return
      "Leaving out pixels by confidence gains \(Quantity(share, .percent(0)).text) of what leaving out the worst would: AUSE "
      + "\(CalibrationWords.value(value.ause, low, high, factor: 100, decimals: 2).text) %, AURG "
      + "\(CalibrationWords.value(value.aurg, value.aurgInterval?.low, value.aurgInterval?.high, factor: 100, decimals: 2).text) %."
  }

  private static func table(_ run: CalibrationRun) -> DisplayTable {
    DisplayTable(
      columns: [
        .init("order", numeric: false), .init("scenes in order"), .init("share of scenes [%]"), .init("p"),
        .init("frames in order"), .init("difference of the medians [%]"),
      ],
      cells: run.monotonicity.comparisons.map { row in
        let hasScenes = row.scenes.trials > 1
        let interval = hasScenes ? row.scenes.interval : nil
        return [
          .init(row.name), .init("\(row.scenes.successes)/\(row.scenes.trials)"),
          .init(
            CalibrationWords.value(
              hasScenes ? row.scenes.share : nil, interval?.low, interval?.high, factor: 100, decimals: 0)),
          .init(
            Quantity(hasScenes && row.levels.count == 2 ? row.scenes.signTest : nil, .significant(2))),
          .init("\(row.frames.successes)/\(row.frames.trials)"),
          .init(
            CalibrationWords.value(
              row.difference, row.interval?.low, row.interval?.high, factor: 100, decimals: 2)),
        ]
      })
  }
}
