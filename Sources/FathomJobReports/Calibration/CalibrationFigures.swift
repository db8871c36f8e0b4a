import DepthReport
import DepthCalibration
import DepthCharts
import DepthEvaluation
import FathomStatistics

/// The pictures of a calibration's report.
enum CalibrationFigures {
  private static let depth = ChartAxis("true depth", unit: "m")

  /// MAE by range, a line per level.
  static func error(_ run: CalibrationRun) -> Figure {
    .chart(
      Chart(
        "error-by-range", title: "Error by confidence and range",
        what: "Mean absolute error over true depth, one line per confidence level, with 95 % intervals",
        caption:
          "Lower is better. If the lines stay apart, confidence separates good returns from bad ones at every range.",
        x: depth, y: ChartAxis(Metric.mae.title, unit: Metric.mae.display.symbol, isLogarithmic: true),
        series: levels(run).map { byRange($0, .mae, run) }))
  }

  /// Bias by range, a line per level.
  static func bias(_ run: CalibrationRun) -> Figure {
    .chart(
      Chart(
        "bias-by-range", title: "Bias by confidence and range",
        what:
          "Mean of measured minus true over true depth, one line per confidence level, with 95 % intervals",
        caption:
          "Above zero is too far, below too near. A slope is an error of scale, which a correction removes.",
        x: depth, y: ChartAxis(Metric.bias.title, unit: Metric.bias.display.symbol),
        series: levels(run).map { byRange($0, .bias, run) }))
  }

  /// σ(d) of a level with its interval, and the robust scale of the kept pixels in each range.
  static func noise(_ run: CalibrationRun, _ noise: LevelNoise) -> Figure? {
    let bins = run.table.rows.filter { $0.cell.level == noise.level }.compactMap(\.cell.bin)
    guard let first = bins.min(), let last = bins.max() else { return nil }
    let (from, to) = (CalibrationPlan.range(of: first).from, CalibrationPlan.range(of: last).to)
    let steps = 40
    let depths = (0...steps).map { from + (to - from) * Double($0) / Double(steps) }
    let intervals = depths.map { noise.deviation(at: $0) }
    return .chart(
      Chart(
        "noise-model-\(noise.level)", title: "Noise at confidence \(noise.level)",
        what:
          "Fitted standard deviation over true depth at confidence \(noise.level) with its 95 % band, and the robust scale "
          + "measured in each range",
        caption:
          "The line should pass through the points: where they leave the band, the noise is not of the form √(a² + (b·d)²).",
        x: depth, y: ChartAxis("standard deviation", unit: "mm"),
        series: [
          ChartSeries(
            "σ(d) of the model", x: depths, y: depths.map { noise.parameters.deviation(at: $0) * 1000 },
            low: intervals.map { $0.map { $0.low * 1000 } },
            high: intervals.map { $0.map { $0.high * 1000 } },
            style: .line),
          ChartSeries(
            "measured, 1.48·MAD", x: bins.map(centre),
            y: bins.map { run.kept(level: noise.level, bin: $0).map { $0.deviation * 1000 } }, style: .points
          ),
        ]))
  }

  /// Promised against held shares.
  static func coverage(_ checks: [PredictiveCheck]) -> Figure {
    let ideal = ChartSeries("ideal", x: [0.4, 1], y: [0.4, 1], style: .line, isReference: true)
    let series = checks.map { check in
      ChartSeries(
        "confidence \(check.level)", x: check.coverages.map(\.nominal), y: check.coverages.map(\.model.value),
        low: check.coverages.map(\.model.interval?.low), high: check.coverages.map(\.model.interval?.high))
    }
    return .chart(
      Chart(
        "interval-coverage", title: "Do intervals contain the stated fraction of errors?",
        what:
          "Fraction of the errors inside the noise model's intervals over the stated fraction, per confidence level; the diagonal is ideal",
        caption:
          "On the diagonal, intervals contain the stated fraction; below it the model is overconfident, above it too cautious.",
        x: ChartAxis("promised share"), y: ChartAxis("share held"), series: [ideal] + series))
  }

  /// Histogram of the probability integral transform.
  static func transform(_ checks: [PredictiveCheck]) -> Figure {
    let count = Double(PredictiveCheck.binCount)
    let centres = (0..<PredictiveCheck.binCount).map { (Double($0) + 0.5) / count }
    let ideal = ChartSeries(
      "uniform", x: [0, 1], y: [100 / count, 100 / count], style: .line, isReference: true)
    let series = checks.map { check in
      ChartSeries(
        "confidence \(check.level)", x: centres, y: check.bins.map { $0.value * 100 },
        low: check.bins.map { $0.interval.map { $0.low * 100 } },
        high: check.bins.map { $0.interval.map { $0.high * 100 } })
    }
    return .chart(
      Chart(
        "pit", title: "Probability integral transform",
        what:
          "Share of the errors per twentieth of the model's probability, per confidence level; a flat line at 5 % is an honest model",
        caption:
          "Flat is honest. A hump means that the model is too cautious, a bowl that it is overconfident, a slope that it is biased.",
        x: ChartAxis("probability of a smaller error, by the model", range: 0...1),
        y: ChartAxis("share of the pixels", unit: "%"), series: [ideal] + series))
  }

  /// Median relative error of every scene, or of every frame of the one scene. nil for a single one: a table says that better.
  static func order(_ run: CalibrationRun) -> Figure? {
    let rows =
      run.units == .scenes
      ? run.scenes.map { scene in (name: scene.name, medians: (0...2).map { mean($0, of: scene) }) }
      : run.scenes.flatMap { $0.frames.map { (name: $0.name, medians: $0.medians) } }
    guard rows.count > 1 else { return nil }
    let series = levels(run).map { level in
      ChartSeries(
        "confidence \(level)", x: rows.indices.map(Double.init),
        y: rows.map { row in row.medians[level].map { $0 * 100 } }, style: .points)
    }
    let unit = run.units == .scenes ? "scene" : "frame"
    return .chart(
      Chart(
        "median-by-\(unit)", title: "Median relative error by \(unit)",
        what: "Median relative error of each \(unit), one colour per confidence level",
        caption: "If the colours have the same order in every \(unit), confidence ranks returns reliably.",
        x: ChartAxis(unit), y: ChartAxis("median relative error", unit: "%", isLogarithmic: true),
        series: series, categories: rows.count <= 40 ? rows.map(\.name) : nil))
  }

  private static func mean(_ level: Int, of scene: SceneErrors) -> Double? {
    let medians = scene.frames.compactMap { $0.medians[level] }
    return medians.isEmpty ? nil : medians.reduce(0, +) / Double(medians.count)
  }

  private static func levels(_ run: CalibrationRun) -> [Int] {
    [2, 1, 0].filter { run.table.row(level: $0) != nil }
  }

  private static func centre(_ bin: Int) -> Double { (Double(bin) + 0.5) * CalibrationPlan.binWidth }

  private static func byRange(
    _ level: Int, _ statistic: ErrorStatistic, _ run: CalibrationRun
  ) -> ChartSeries {
    let rows = run.table.rows.filter { $0.cell.level == level && $0.cell.bin != nil && $0.returns > 0 }
    let scale = statistic.metric.display.scale
    return ChartSeries(
      "confidence \(level)", x: rows.map { centre($0.cell.bin ?? 0) },
      y: rows.map { $0.value(statistic).map { $0 * scale } },
      low: rows.map { $0.interval(statistic).map { $0.low * scale } },
      high: rows.map { $0.interval(statistic).map { $0.high * scale } })
  }
}
