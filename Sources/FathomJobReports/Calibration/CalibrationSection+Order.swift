import FathomDocuments
import FathomPlainText
import DepthCalibration
import FathomStatistics

extension CalibrationSection {
  /// Whether more confidence means less error.
  static func order(_ run: CalibrationRun, _ found: CalibrationVerdict) -> CalibrationSection {
    var section = CalibrationSection("Does more confidence mean less error?")
    section.findings = [found.order.map { sentence($0, run) }, found.confidence.map(sentence)].compactMap(
      \.self)
    guard !found.orders.isEmpty else {
      section.sentences = [
        "No frame has two levels of confidence with enough pixels: their order cannot be determined."
      ]
      return section
    }
    section.tables = [Table(table(run))]
    section.figures = [CalibrationFigures.order(run)].compactMap(\.self)
    section.notes = [
      "Median relative error of a frame's level, where it has at least \(run.plan.fewestForMedian) pixels; for scenes the mean over "
        + "the frames that have all of the levels. Shares have Clopper and Pearson's interval and p is the exact sign test, both over scenes. "
        + "Frames of a scene resemble each other: their count is not a test."
    ]
    if run.units == .frameBlocks && run.unitCount > 1 {
      section.notes.append(
        "One scene: the interval of the difference is over its frames and not valid beyond it.")
    }
    return section
  }

  private static func sentence(_ found: CalibrationVerdict.Order, _ run: CalibrationRun) -> String {
    let frames = "\(found.framesInOrder) of \(found.frames) frames"
    let scenes = found.scenes > 1 ? "\(found.scenesInOrder) of \(found.scenes) scenes and \(frames)" : frames
    let medians = found.levels.reversed().compactMap { level in
      run.table.row(level: level)?.value(.medianRel).map { "\(Quantity($0, .percent(2)).text) at \(level)" }
    }
    return
      "More confidence means less error: \(found.answer.rawValue). The median relative errors are in the order \(found.order) in \(scenes) "
      + "(\(medians.joined(separator: ", ")))."
  }

  private static func sentence(_ found: CalibrationVerdict.Confidence) -> String {
    func text(_ area: CalibrationVerdict.Estimate) -> String {
      CalibrationWords.value(area.value, area.low, area.high, factor: 100, decimals: 2).text
    }
    return
      "Removing pixels by confidence gains \(Quantity(found.share, .percent(0)).text) of the gain from removing the worst pixels: AUSE "
      + "\(text(found.ause)) %, AURG \(text(found.aurg)) %."
  }

  private static func table(_ run: CalibrationRun) -> DisplayTable {
    DisplayTable(
      columns: [
        .text("order"), .init("scenes in order"), .init("share of scenes [%]"), .init("p"),
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
          .init(Quantity(hasScenes && row.levels.count == 2 ? row.scenes.signTest : nil, .significant(2))),
          .init("\(row.frames.successes)/\(row.frames.trials)"),
          .init(
            CalibrationWords.value(
              row.difference, row.interval?.low, row.interval?.high, factor: 100, decimals: 2)),
        ]
      })
  }
}
