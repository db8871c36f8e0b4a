import FathomRunFolders
public import FathomTables
public import DepthCalibration
import DepthCore
import DepthEvaluation
import DepthFusion
import FathomStatistics

/// The CSV files of a calibration.
public enum CalibrationTables {
  /// File name and content, in the order of the documentation.
  public static func files(_ run: CalibrationRun) -> [(name: String, table: DataTable)] {
    [
      ("levels.csv", levels(run)), ("noise.csv", noise(run)), ("coverage.csv", coverage(run)),
      ("pit.csv", pit(run)), ("monotonicity.csv", monotonicity(run)), ("frames.csv", frames(run)),
    ]
  }

  static let fewScenes = "too few scenes, or no value"

  /// Columns of an interval: over scenes, or valid within the one scene only.
  static func interval<Row>(
    of stem: String, unit: String = "", _ run: CalibrationRun,
    _ interval: @escaping @Sendable (Row) -> (low: Double, high: Double)?
  ) -> [Column<Row>] {
    let isOverScenes = run.units == .scenes
    let kinds = [
      ("", " over scenes", isOverScenes, fewScenes),
      ("within_scene_", ", valid within the one scene only", !isOverScenes, "several scenes, or no value"),
    ]
    return kinds.flatMap { prefix, place, isThere, missing in
      [("low", "lower"), ("high", "upper")].map { end, word in
        .number(
          "\(prefix)\(stem)_\(end)", "\(word) end of its 95 % interval\(place)", unit: unit, missing: missing
        ) { row in isThere ? interval(row).map { end == "low" ? $0.low : $0.high } : nil }
      }
    }
  }

  /// One row per level and range.
  static func levels(_ run: CalibrationRun) -> DataTable {
    let identity: [Column<LevelTable.Row>] = [
      .text("confidence", "LiDAR confidence: 0 low, 1 medium, 2 high; all") {
        $0.cell.level.map(String.init) ?? "all"
      },
      .number("from_m", "true depth above which the bin begins", unit: "m", missing: "all ranges") {
        $0.cell.bin.map(CalibrationPlan.range)?.from
      },
      .number("to_m", "true depth up to which it reaches", unit: "m", missing: "all ranges") {
        $0.cell.bin.map(CalibrationPlan.range)?.to
      },
      .integer("scenes", "scenes with a pixel here") { run.units == .scenes ? $0.units : 1 },
      .integer("frames", "frames with a pixel here") { $0.frames },
      .integer("pixels", "truth pixels") { $0.pixels },
      .integer("returns", "LiDAR returns that they are compared with") { $0.returns },
    ]
    let statistics = ErrorStatistic.allCases.flatMap { statistic -> [Column<LevelTable.Row>] in
      let metric = statistic.metric
      return [
        .number(
          metric.id, "\(metric.title) of the LiDAR: \(metric.formula)", unit: metric.unit.rawValue,
          missing: "no pixel"
        ) { $0.value(statistic) }
      ]
        + interval(of: metric.id, unit: metric.unit.rawValue, run) {
          $0.interval(statistic).map { ($0.low, $0.high) }
        }
    }
    let everyRange = "a bin of range"
    let noModel = "all ranges or levels together, or no model of the level"
    let model: [Column<LevelTable.Row>] = [
      .number(
        "\(Metric.medianRel.id)_pooled", "\(Metric.medianRel.title) over all pixels of all scenes",
        missing: everyRange
      ) { $0.cell.bin == nil ? run.pooledMedian(level: $0.cell.level) : nil },
      .number("bias_model_m", "mean error that the noise model says", unit: "m", missing: noModel) {
        run.law(of: $0.cell).map { $0.noise.parameters.mean(at: $0.depth) }
      },
      .number(
        "bias_median_m", "median error that the kept pixels show", unit: "m", missing: noModel
      ) { run.kept(of: $0.cell)?.median },
      .number(
        "sigma_model_m", "standard deviation that the noise model says", unit: "m", missing: noModel
      ) { run.law(of: $0.cell).map { $0.noise.parameters.deviation(at: $0.depth) } },
      .number(
        "sigma_mad_m", "1.4826 × MAD that the kept pixels show", unit: "m", missing: noModel
      ) { run.kept(of: $0.cell)?.deviation },
    ]
    return DataTable(of: "confidence × range", identity + statistics + model, run.table.rows)
  }

  /// One row per level and parameter.
  static func noise(_ run: CalibrationRun) -> DataTable {
    struct Parameter: Sendable {
      let level: Int
      var name: String?, value: Double?, interval: Interval?, scenes: Int?, pixels: Int?
      let status: String
    }
    let rows = [2, 1, 0].flatMap { level -> [Parameter] in
      switch run.noise[level] {
      case .failure(let reason): return [Parameter(level: level, status: "no model: \(reason)")]
      case .success(let found):
        let parameters = found.parameters
        let values: [(String, Double, Interval?)] = [
          ("a_m", found.law.a, found.a), ("b", found.law.b, found.b), ("bias_m", parameters.bias, found.bias),
          ("bias_slope", parameters.biasSlope, found.biasSlope),
          ("outlier_share", parameters.outlierShare, found.outlierShare),
        ]
        return values.map { name, value, interval in
          Parameter(
            level: level, name: name, value: value, interval: interval,
            scenes: run.units == .scenes ? found.clusters : 1, pixels: found.samples,
            status: found.hasConverged ? "ok" : "not converged")
        }
      }
    }
    let noModel = "no model of the level"
    return DataTable(
      of: "confidence × parameter of the noise model",
      [
        .integer("confidence", level) { $0.level },
        .text(
          "parameter",
          "a_m and b of σ(z) = a + b·z; bias_m and bias_slope of the mean error bias + bias_slope·z; outlier_share",
          missing: noModel
        ) { $0.name },
        .number("value", "its value, metres for a_m and bias_m", missing: noModel) { $0.value },
      ] + interval(of: "value", run) { $0.interval.map { ($0.low, $0.high) } } + [
        .integer("scenes", "scenes that it is fitted to", missing: noModel) { $0.scenes },
        .integer("pixels", "pixels that it is fitted to", missing: noModel) { $0.pixels },
        .text("status", "ok; not converged; or why there is no model") { $0.status },
      ], rows)
  }

  private static let level = "LiDAR confidence: 0 low, 1 medium, 2 high"

  /// One row per level and promised probability.
  static func coverage(_ run: CalibrationRun) -> DataTable {
    struct Row: Sendable { let check: PredictiveCheck, coverage: PredictiveCheck.Coverage }
    let head: [Column<Row>] = [
      .integer("confidence", level) { $0.check.level },
      .text("judged_on", "what the model is judged on: scenes or blocks that it was not fitted to") {
        $0.check.judged.rawValue
      },
      .integer("folds", "how often it was fitted without a part") { $0.check.folds },
      .integer("pixels", "pixels that are judged") { $0.check.samples },
      .number("nominal", "probability that the model promises", unit: "share") { $0.coverage.nominal },
      .number("coverage", "share of pixels within its interval", unit: "share") { $0.coverage.model.value },
    ]
    let noiseOnly: Column<Row> = .number(
      "noise_only_coverage", "the same without the outliers of the model", unit: "share"
    ) { $0.coverage.noiseOnly.value }
    return DataTable(
      of: "confidence × promised probability",
      head
        + interval(of: "coverage", unit: "share", run) {
          $0.coverage.model.interval.map { ($0.low, $0.high) }
        } + [noiseOnly]
        + interval(of: "noise_only_coverage", unit: "share", run) {
          $0.coverage.noiseOnly.interval.map { ($0.low, $0.high) }
        },
      run.checks.sorted { $0.level > $1.level }.flatMap { check in
        check.coverages.map { Row(check: check, coverage: $0) }
      })
  }

  /// One row per level and bin of the probability integral transform.
  static func pit(_ run: CalibrationRun) -> DataTable {
    struct Bin: Sendable { let level: Int, index: Int, share: PredictiveCheck.Share }
    let count = Double(PredictiveCheck.binCount)
    return DataTable(
      of: "confidence × bin of the probability integral transform",
      [
        .integer("confidence", level) { $0.level },
        .number("from", "probability at which the bin begins") { Double($0.index) / count },
        .number("to", "probability at which it ends") { Double($0.index + 1) / count },
        .number(
          "share", "share of pixels whose error falls there; an honest model has the same in every bin",
          unit: "share"
        ) { $0.share.value },
      ] + interval(of: "share", unit: "share", run) { $0.share.interval.map { ($0.low, $0.high) } },
      run.checks.sorted { $0.level > $1.level }.flatMap { check in
        check.bins.enumerated().map { Bin(level: check.level, index: $0, share: $1) }
      })
  }

  /// One row per order of levels.
  static func monotonicity(_ run: CalibrationRun) -> DataTable {
    /// One scene is not a sample of scenes.
    @Sendable func interval(_ row: Monotonicity.Comparison) -> (low: Double, high: Double)? {
      row.scenes.trials > 1 ? row.scenes.interval.map { ($0.low, $0.high) } : nil
    }
    let oneScene = "fewer than two scenes"
    return DataTable(
      of: "order of confidence levels",
      [
        .text("order", "levels that should have errors in this order") { $0.name },
        .integer("scenes", "scenes that have all of the levels") { $0.scenes.trials },
        .integer("scenes_in_order", "those whose median errors are in order") { $0.scenes.successes },
        .number(
          "share_low", "lower end of the 95 % interval of their share", unit: "share", missing: oneScene
        ) { interval($0)?.low },
        .number("share_high", "upper end of it", unit: "share", missing: oneScene) { interval($0)?.high },
        .number(
          "sign_test_p", "sign test that either order is as likely",
          missing: "more than two levels, or fewer than two scenes"
        ) { $0.levels.count == 2 && $0.scenes.trials > 1 ? $0.scenes.signTest : nil },
        .integer("frames", "frames that have all of the levels") { $0.frames.trials },
        .integer("frames_in_order", "those whose median errors are in order") { $0.frames.successes },
        .number(
          "difference_of_medians", "median relative error of the lowest level − that of the highest",
          missing: "no scene has all of the levels"
        ) { $0.difference },
      ] + Self.interval(of: "difference_of_medians", run) { $0.interval.map { ($0.low, $0.high) } },
      run.monotonicity.comparisons)
  }

  /// One row per frame.
  static func frames(_ run: CalibrationRun) -> DataTable {
    struct Row: Sendable { let scene: String, frame: SceneErrors.Frame }
    let head: [Column<Row>] = [
      CommonColumn.scene { $0.scene },
      .text("frame", "frame_id of the data, or the index where there is none") { $0.frame.name },
    ]
    let returns = (0...2).map { level -> Column<Row> in
      .integer("returns_\(level)", "LiDAR returns of confidence \(level)") { $0.frame.returns[level] }
    }
    let medians = (0...2).map { level -> Column<Row> in
      .number(
        "\(Metric.medianRel.id)_\(level)", "\(Metric.medianRel.title) of the returns of confidence \(level)",
        missing: "no return"
      ) { $0.frame.medians[level] }
    }
    let rest: [Column<Row>] = [
      .text(
        "in_order", "yes where less confident returns have larger median errors",
        missing: "a level has no return"
      ) { row in
        let medians = row.frame.medians.compactMap { $0 }
        let isInOrder = zip(medians, medians.dropFirst()).allSatisfy { $0 > $1 }
        return medians.count == 3 ? (isInOrder ? "yes" : "no") : nil
      },
      .number(Metric.ause.id, Metric.ause.formula, missing: "no confidence or error") { $0.frame.ause },
      .number(Metric.aurg.id, Metric.aurg.formula, missing: "no confidence or error") { $0.frame.aurg },
    ]
    let rows = run.scenes.flatMap { scene in
      scene.frames.map { frame in Row(scene: scene.name, frame: frame) }
    }
    return DataTable(of: "frame", head + returns + medians + rest, rows)
  }
}

extension CalibrationRun {
  /// What the noise model says in the middle of a bin; nil for a cell of several levels or ranges, and without a model.
  fileprivate func law(of cell: ErrorCell) -> (noise: LevelNoise, depth: Double)? {
    guard let level = cell.level, let bin = cell.bin, let noise = noise(level: level) else { return nil }
    return (noise, (Double(bin) + 0.5) * CalibrationPlan.binWidth)
  }

  /// What the kept pixels show there.
  fileprivate func kept(of cell: ErrorCell) -> KeptPixels? {
    guard let level = cell.level, let bin = cell.bin, noise(level: level) != nil else { return nil }
    return kept(level: level, bin: bin)
  }
}
