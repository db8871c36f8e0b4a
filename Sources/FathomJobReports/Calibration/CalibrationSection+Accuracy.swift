import DepthReport
public import FathomDocuments
import FathomPlainText
public import DepthCalibration
import DepthCore
import DepthEvaluation
import FathomStatistics

extension CalibrationSection {
  /// What a calibration always shows, in order.
  public static func standard(_ run: CalibrationRun, _ found: CalibrationVerdict) -> [CalibrationSection] {
    [accuracy(run, found), order(run, found), noise(run, found), honesty(run), weights(run)]
  }

  /// Where the truth comes from, if that limits what is found; nil where it does not.
  public static func caveat(_ found: CalibrationVerdict) -> String? {
    let dependent = found.dependentScenes
    guard !dependent.isEmpty else { return nil }
    let kinds = Set(dependent.values).sorted().joined(separator: ", ")
    let whose =
      dependent.count == found.scenes
      ? "The truth" : "The truth of \(dependent.count) of \(found.scenes) scenes"
    return
      "\(whose) is not independent of the LiDAR (\(kinds)): a constant error of the sensor does not show, and "
      + "errors of the poses, if poses join the frames, count as the LiDAR's."
  }

  /// Errors per level and range.
  static func accuracy(_ run: CalibrationRun, _ found: CalibrationVerdict) -> CalibrationSection {
    var section = CalibrationSection("Error by confidence and range")
    let overall = run.table.rows.filter { $0.cell.bin == nil }
    section.findings = overall.filter { $0.cell.level != nil }.map { sentence($0, run) }
    switch found.confidenceMaps {
    case .all: break
    case .some:
      section.findings.append("Some scenes have no confidence map: their pixels count as confidence 2.")
    case .none:
      section.findings.append(
        "There is no confidence map: every pixel counts as confidence 2, and the other levels were not measured."
      )
    }
    section.tables = [Table(table(overall, run), caption: "Over the whole range:")]
    for level in [2, 1, 0] {
      let rows = run.table.rows.filter { $0.cell.level == level && $0.cell.bin != nil }
      guard !rows.isEmpty else { continue }
      section.tables.append(Table(table(rows, run), caption: "Confidence \(level) by true depth:"))
    }
    section.notes = CalibrationWords.intervalNotes(run)
    section.figures = [CalibrationFigures.error(run), CalibrationFigures.bias(run)]
    section.notes.append(
      "Coverage is the fraction of pixels with truth that have a return; every other column uses only those. Bias is the mean "
        + "of measured − true; P95 the 95 % quantile of its size and the median that of |measured − true|/true, each the mean of the frames' own. The median "
        + "of all pixels comes from 4096 logarithmic bins and has no interval.")
    return section
  }

  private static func sentence(_ row: LevelTable.Row, _ run: CalibrationRun) -> String {
    let relative = CalibrationWords.value(row, .medianRel, factor: 100, decimals: 2, unit: "%")
    func length(_ statistic: ErrorStatistic) -> String {
      let interval = row.interval(statistic)
      return LengthUnit.millimetres.text(row.value(statistic), low: interval?.low, high: interval?.high)
    }
    return
      "\(CalibrationWords.level(row.cell.level).capitalizedFirst): median relative error \(Quantity(run.pooledMedian(level: row.cell.level), .percent(2)).text) of all its pixels "
      + "(\(relative.text) as the mean of the frames' medians), bias "
      + "\(length(.bias)), MAE \(length(.mae)), " + "95 % of the errors below \(length(.p95)); "
      + "\(Quantity(row.value(.coverage), .percent()).text) of its \(row.pixels) pixels have a return."
  }

  private static func table(_ rows: [LevelTable.Row], _ run: CalibrationRun) -> DisplayTable {
    DisplayTable(
      columns: [
        .init("confidence"), .init("true depth [m]"), .init("pixels"),
        .init(run.units == .scenes ? "scenes" : "blocks"), .init("coverage [%]"),
        .init("bias [mm]"), .init("MAE [mm]"), .init("P95 [mm]"), .init("RMSE [mm]"), .init("median [%]"),
      ],
      cells: rows.map { row in
        let range = row.cell.bin.map(CalibrationPlan.range)
        func millimetres(_ statistic: ErrorStatistic) -> DisplayTable.Cell {
          .init(CalibrationWords.value(row, statistic, factor: 1000))
        }
        return [
          .init(row.cell.level.map(String.init) ?? "all"),
          .init(range.map { "\($0.from)–\($0.to)" } ?? "all"), .init(count: row.pixels),
          .init(count: row.units), .init(Quantity(row.value(.coverage) ?? 0, .decimals(1, times: 100))),
          millimetres(.bias), millimetres(.mae), millimetres(.p95), millimetres(.rmse),
          .init(CalibrationWords.value(row, .medianRel, factor: 100, decimals: 2)),
        ]
      })
  }

  /// What a and b alone deserve, which is all that `calibration.yaml` carries; or that there was nothing to judge it on.
  private static func verdict(_ check: PredictiveCheck) -> String {
    check.isUntested(check.noiseOnlyVerdict) ? "untested" : check.noiseOnlyVerdict.rawValue
  }

  /// The short table of the terminal: one row per level.
  public static func headline(_ run: CalibrationRun) -> DisplayTable {
    DisplayTable(
      columns: [
        .init("confidence"), .init("pixels"), .init("median of all"), .init("bias [mm]"), .init("MAE [mm]"),
        .init("P95 [mm]"), .init("a [mm]"), .init("b [%]"), .init("outliers"), .init("weight"),
        .text("±z·σ intervals"),
      ],
      cells: run.table.rows.filter { $0.cell.bin == nil }.compactMap { row -> [DisplayTable.Cell]? in
        guard let level = row.cell.level else { return nil }
        let noise = run.noise(level: level)
        return [
          .init(count: level), .init(count: row.pixels),
          .init(Quantity(run.pooledMedian(level: level), .percent(2))),
          .init(Quantity(row.value(.bias), .decimals(1, times: 1000))),
          .init(Quantity(row.value(.mae), .decimals(1, times: 1000))),
          .init(Quantity(row.value(.p95), .decimals(1, times: 1000))),
          .init(CalibrationWords.value(noise?.law.a, noise?.a?.low, noise?.a?.high, factor: 1000)),
          .init(
            CalibrationWords.value(noise?.law.b, noise?.b?.low, noise?.b?.high, factor: 100, decimals: 2)),
          .init(Quantity(noise?.parameters.outlierShare, .percent())),
          .init(Quantity(run.weights?.weights[level], .significant(2))),
          .init(run.checks.first { $0.level == level }.map(verdict) ?? Quantity.none),
        ]
      })
  }
}
