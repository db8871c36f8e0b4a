import DepthReport
import FathomStatistics
import DepthCharts
import DepthEvaluation
import DepthTuning
import FathomPlainText

/// The figures of a search: how the loss moves with thresholds, and what coverage costs.
struct TuningFigures {
  let run: TuningRun
  private var objective: TuningObjective { run.plan.objective }
  private var measure: String { objective.column?.metric.title ?? "placement error" }
  private var display: DisplayUnit { objective.display }
  private var axis: ChartAxis { ChartAxis("\(measure) on frames with depth", unit: display.symbol) }
  /// A difference of shares is not a share: "3 %" would read as a relative change.
  private var differenceAxis: ChartAxis {
    ChartAxis("\(measure) − specified", unit: display == .percent ? DifferenceMeasure.points : display.symbol)
  }

  /// Losses are what is made small; figures show the measure itself.
  private var sign: Double { objective.column?.metric.direction == .higherIsBetter ? -1 : 1 }
  private var factor: Double { sign * display.scale }
  private var better: String { sign > 0 ? "Below zero is better" : "Above zero is better" }

  /// All of them, in the order of the report.
  var all: [Figure] {
    run.sensitivities.compactMap { sensitivity($0).map { .chart($0) } }
      + run.surfaces.filter { surface in
        surface.differences.contains { $0.contains { $0 != nil && $0 != 0 } }
      }.map { .heatMap(surface($0)) }
      + (hasFront ? [.chart(front)] : [])
  }

  /// Thresholds that change nothing: they have no chart.
  var withoutEffect: [String] {
    run.sensitivities.filter { sensitivity($0) == nil }.map(\.axis.dimension.title)
  }

  /// Whether coverage differs at all, to the digits that are shown.
  private var hasFront: Bool {
    let coverages = run.front.points.map(\.coverage)
    return (coverages.max() ?? 0) - (coverages.min() ?? 0) >= 0.0005
  }

  /// nil where no value differs from the specified one.
  private func sensitivity(_ sensitivity: Sensitivity) -> Chart? {
    guard sensitivity.points.contains(where: { ($0.difference?.mean ?? 0) != 0 }) else { return nil }
    let axis = sensitivity.axis
    let dimension = axis.dimension
    let numbers = axis.values.compactMap { Double($0) }
    // Two or three values are told apart, not read off a scale.
    let isNumeric = dimension.isNumeric && numbers.count == axis.values.count && numbers.count > 3
    let x = isNumeric ? numbers : axis.values.indices.map(Double.init)
    let gains = sensitivity.points.map(\.difference)
    let ends = gains.map { gain in
      gain?.interval(0.95).map { sign > 0 ? $0 : -$0.upperBound ... -$0.lowerBound }
        .map { $0.lowerBound * display.scale...$0.upperBound * display.scale }
    }
    let chosen = run.plan.grid.positions[sensitivity.around]
    let position = run.plan.grid.axis(dimension.id).map { chosen[$0] } ?? 0
    var marks = [ChartMark(x: x[axis.reference], label: "specified")]
    if position != axis.reference { marks.append(ChartMark(x: x[position], label: "chosen")) }
    return Chart(
      "sensitivity-\(dimension.id)", title: "Sensitivity to the \(dimension.title), others as chosen",
      what:
        "\(measure) minus that of the specified defaults for each \(dimension.title), other thresholds as the selection rule chooses; bands are 95 % intervals over scenes",
      caption: "\(better). If the band contains zero, these scenes do not show that the value matters.",
      x: ChartAxis(dimension.title, unit: dimension.unit), y: differenceAxis,
      series: [
        ChartSeries(
          "difference from the specified defaults", x: x, y: gains.map { $0.map { factor * $0.mean } },
          low: ends.map { $0?.lowerBound },
          high: ends.map { $0?.upperBound }, style: isNumeric ? .linePoints : .points)
      ], marks: marks, categories: isNumeric ? nil : axis.values)
  }

  private func surface(_ surface: LossSurface) -> HeatMap {
    let (rows, columns) = (surface.rows.dimension, surface.columns.dimension)
    var marks = [HeatMap.Mark(row: surface.around.row, column: surface.around.column, label: "chosen")]
    if let reference = surface.reference {
      marks =
        [HeatMap.Mark(row: reference.row, column: reference.column, label: "specified")]
        + (reference == surface.around ? [] : marks)
    }
    return HeatMap(
      "surface-\(rows.id)-\(columns.id)", title: "\(measure) over \(rows.title) and \(columns.title)",
      alt:
        "\(measure) minus that of the specified defaults for every pair of \(rows.title) and \(columns.title), other thresholds as the selection rule chooses\(ends(surface)).",
      x: ChartAxis(columns.title, unit: columns.unit), columns: surface.columns.values,
      y: ChartAxis(rows.title, unit: rows.unit), rows: surface.rows.values,
      values: surface.differences.map { $0.map { $0.map { factor * $0 } } },
      value: differenceAxis, marks: marks,
      caption:
        "\(better). A diagonal valley means that the two thresholds compensate each other."
    )
  }

  /// "; from −3.2 mm at 2 and 0.1 to 18 mm at 0 and 4"
  private func ends(_ surface: LossSurface) -> String {
    let cells = surface.differences.enumerated().flatMap { row, values in
      values.enumerated().compactMap { column, value in
        value.map { (row: row, column: column, value: factor * $0) }
      }
    }
    guard let least = cells.min(by: { $0.value < $1.value }),
      let most = cells.max(by: { $0.value < $1.value })
    else { return "" }
    func words(_ cell: (row: Int, column: Int, value: Double)) -> String {
      let value = Quantity(cell.value, .significant(3, unit: differenceAxis.unit ?? "")).text
      return "\(value) at \(surface.rows.values[cell.row]) and \(surface.columns.values[cell.column])"
    }
    return "; from \(words(least)) to \(words(most))"
  }

  private var front: Chart {
    let front = run.front.front
    let others = run.front.points.filter { !front.contains($0) }
    let reference = run.front.points.filter { $0.configuration == SearchGrid.reference }
    let chosen = run.front.points.filter { $0.configuration == run.verdict.choice?.chosen }
    func series(_ name: String, _ points: [CoverageFront.Point], _ style: ChartSeries.Style) -> ChartSeries {
      ChartSeries(name, x: points.map { 100 * $0.coverage }, y: points.map { factor * $0.loss }, style: style)
    }
    return Chart(
      "coverage-front", title: "Coverage against error",
      what:
        "\(measure) on frames with depth against the share of the truth that is covered, for every configuration",
      caption: "Right and \(sign > 0 ? "low" : "high") is best. Along the front, less error costs coverage.",
      x: ChartAxis("coverage", unit: "%", range: coverageRange), y: axis,
      series: [
        series("configurations", Self.thinned(others), .points), series("front", front, .linePoints),
        series("specified", reference, .points), series("chosen", chosen, .points),
      ].filter { !$0.x.isEmpty })
  }

  /// From below the least coverage to everything.
  private var coverageRange: ClosedRange<Double> {
    let least = 100 * (run.front.points.map(\.coverage).min() ?? 0)
    return max(0, min(95, (least / 5).rounded(.down) * 5 - 5))...100.5
  }

  /// At most 2000 evenly chosen points: more cannot be distinguished.
  private static func thinned(_ points: [CoverageFront.Point]) -> [CoverageFront.Point] {
    guard points.count > 2000 else { return points }
    return (0..<2000).map { points[$0 * points.count / 2000] }
  }
}
