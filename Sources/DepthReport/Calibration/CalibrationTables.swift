public import DepthCalibration
import DepthCore
import DepthEvaluation
import DepthFusion
import Statistics

/// The CSV files of a calibration.
public enum CalibrationTables {
  /// File name and content, in the order of the documentation.
  public static func files(_ run: CalibrationRun) -> [(name: String, table: DataTable)] {
    [
      ("levels.csv", levels(run)), ("noise.csv", noise(run)), ("coverage.csv", coverage(run)),
      ("pit.csv", pit(run)), ("monotonicity.csv", monotonicity(run)), ("frames.csv", frames(run)),
    ]
  }

  /// Columns of an interval: over scenes, or valid within the one scene only.
  static func intervalColumns(_ stem: String) -> [String] {
    [stem + "_low", stem + "_high", "within_scene_\(stem)_low", "within_scene_\(stem)_high"]
  }

  static func cells(_ low: Double?, _ high: Double?, _ run: CalibrationRun) -> [DataTable.Cell] {
    let cells: [DataTable.Cell] = [.init(low), .init(high)]
    return run.units == .scenes ? cells + [.empty, .empty] : [.empty, .empty] + cells
  }

  static func cells(_ interval: ConfidenceInterval?, _ run: CalibrationRun) -> [DataTable.Cell] {
    cells(interval?.low, interval?.high, run)
  }

  /// One row per level and range.
  static func levels(_ run: CalibrationRun) -> DataTable {
    DataTable(
      columns: ["confidence", "from_m", "to_m", "scenes", "frames", "pixels", "returns"]
        + ErrorStatistic.allCases.flatMap { [$0.metric.id] + intervalColumns($0.metric.id) }
        + ["\(Metric.medianRel.id)_pooled", "bias_model_m", "bias_median_m", "sigma_model_m", "sigma_mad_m"],
      rows: run.table.rows.map { row in
        let range = row.cell.bin.map(CalibrationPlan.range)
        let identity: [DataTable.Cell] = [
          .text(row.cell.level.map(String.init) ?? "all"), .init(range?.from), .init(range?.to),
          .integer(run.units == .scenes ? row.units : 1), .integer(row.frames), .integer(row.pixels),
          .integer(row.returns),
        ]
        return identity
          + ErrorStatistic.allCases.flatMap { statistic in
            [.init(row.value(statistic))] + cells(row.interval(statistic), run)
          } + [.init(row.cell.bin == nil ? run.pooledMedian(level: row.cell.level) : nil)]
          + model(row.cell, run)
      })
  }

  /// What the noise model says in the middle of a bin, and what the kept pixels show there.
  private static func model(_ cell: ErrorCell, _ run: CalibrationRun) -> [DataTable.Cell] {
    guard let level = cell.level, let bin = cell.bin, let noise = run.noise(level: level) else {
      return [.empty, .empty, .empty, .empty]
    }
    let depth = (Double(bin) + 0.5) * CalibrationPlan.binWidth
    let kept = run.kept(level: level, bin: bin)
    return [
      .number(noise.parameters.mean(at: depth)), .init(kept?.median),
      .number(noise.parameters.deviation(at: depth)), .init(kept?.deviation),
    ]
  }

  /// One row per level and parameter.
  static func noise(_ run: CalibrationRun) -> DataTable {
    let columns =
      ["confidence", "parameter", "value"] + intervalColumns("value") + ["scenes", "pixels", "status"]
    let rows = [2, 1, 0].flatMap { level -> [[DataTable.Cell]] in
      let head: DataTable.Cell = .integer(level)
      switch run.noise[level] {
      case .failure(let reason):
        return [
          [head] + Array(repeating: .empty, count: columns.count - 2) + [.text("no model: \(reason)")]
        ]
      case .success(let found):
        let parameters = found.parameters
        let status = found.hasConverged ? "ok" : "not converged"
        let values: [(String, Double, Interval?)] = [
          ("a_m", found.law.a, found.a), ("b", found.law.b, found.b), ("bias_m", parameters.bias, found.bias),
          ("bias_slope", parameters.biasSlope, found.biasSlope),
          ("outlier_share", parameters.outlierShare, found.outlierShare),
        ]
        return values.map { name, value, interval in
          [head, .text(name), .number(value)] + cells(interval?.low, interval?.high, run)
            + [
              .integer(run.units == .scenes ? found.clusters : 1), .integer(found.samples), .text(status),
            ]
        }
      }
    }
    return DataTable(columns: columns, rows: rows)
  }

  /// One row per level and promised probability.
  static func coverage(_ run: CalibrationRun) -> DataTable {
    DataTable(
      columns: ["confidence", "judged_on", "folds", "pixels", "nominal", "coverage"]
        + intervalColumns("coverage") + ["noise_only_coverage"] + intervalColumns("noise_only_coverage"),
      rows: run.checks.sorted { $0.level > $1.level }.flatMap { check in
        check.coverages.map { row in
          [
            .integer(check.level), .text(check.judged.rawValue), .integer(check.folds),
            .integer(check.samples), .number(row.nominal), .number(row.model.value),
          ] + cells(row.model.interval, run) + [.number(row.noiseOnly.value)]
            + cells(row.noiseOnly.interval, run)
        }
      })
  }

  /// One row per level and bin of the probability integral transform.
  static func pit(_ run: CalibrationRun) -> DataTable {
    DataTable(
      columns: ["confidence", "from", "to", "share"] + intervalColumns("share"),
      rows: run.checks.sorted { $0.level > $1.level }.flatMap { check in
        check.bins.enumerated().map { index, bin in
          let count = Double(PredictiveCheck.binCount)
          return [
            .integer(check.level), .number(Double(index) / count), .number(Double(index + 1) / count),
            .number(bin.value),
          ] + cells(bin.interval, run)
        }
      })
  }

  /// One row per order of levels.
  static func monotonicity(_ run: CalibrationRun) -> DataTable {
    DataTable(
      columns: [
        "order", "scenes", "scenes_in_order", "share_low", "share_high", "sign_test_p", "frames",
        "frames_in_order", "difference_of_medians",
      ] + intervalColumns("difference_of_medians"),
      rows: run.monotonicity.comparisons.map { row in
        // One scene is no sample of scenes.
        let interval = row.scenes.trials > 1 ? row.scenes.interval : nil
        let identity: [DataTable.Cell] = [
          .text(row.name), .integer(row.scenes.trials), .integer(row.scenes.successes), .init(interval?.low),
          .init(interval?.high),
          row.levels.count == 2 && row.scenes.trials > 1 ? .number(row.scenes.signTest) : .empty,
        ]
        return identity
          + [.integer(row.frames.trials), .integer(row.frames.successes), .init(row.difference)]
          + cells(row.interval, run)
      })
  }

  /// One row per frame.
  static func frames(_ run: CalibrationRun) -> DataTable {
    DataTable(
      columns: ["scene", "frame"] + (0...2).map { "returns_\($0)" }
        + (0...2).map { "\(Metric.medianRel.id)_\($0)" }
        + ["in_order", Metric.ause.id, Metric.aurg.id],
      rows: run.scenes.flatMap { scene in
        scene.frames.map { frame in
          let medians = frame.medians.compactMap { $0 }
          let isInOrder = zip(medians, medians.dropFirst()).allSatisfy { $0 > $1 }
          let identity: [DataTable.Cell] = [.text(scene.name), .text(frame.name)]
          return identity + frame.returns.map { .integer($0) } + frame.medians.map { .init($0) }
            + [
              medians.count == 3 ? .text(isInOrder ? "yes" : "no") : .empty, .init(frame.ause),
              .init(frame.aurg),
            ]
        }
      })
  }
}
