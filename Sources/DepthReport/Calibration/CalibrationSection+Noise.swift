import PlainText
import DepthCalibration
import DepthCore
import DepthEvaluation
import DepthFusion

extension CalibrationSection {
  /// Scenes below which a clustered interval of a noise parameter is hardly one.
  private static let fewClusters = 5

  /// The noise model and the bias line.
  static func noise(_ run: CalibrationRun) -> CalibrationSection {
    var section = CalibrationSection("Noise model")
    let found = [2, 1, 0].compactMap { run.noise(level: $0) }
    section.findings = found.map { noise in
      "Noise at \(CalibrationWords.level(noise.level)): σ(d) = \(CalibrationWords.law(noise)), and "
        + "\(Quantity(noise.parameters.outlierShare, .percent()).text) outliers."
    }
    section.sentences = [
      "Errors of a level are modelled as (1 − ε)·N(μ(d), σ(d)²) plus a share ε of outliers of density 1/(2d), with "
        + "σ(d) = √(a² + (b·d)²), the bias line μ(d) = m₀ + m₁·d and d the true depth; fitted by maximum likelihood."
    ]
    if !found.isEmpty {
      section.tables = [Table(table(found))]
      section.figures = found.compactMap { CalibrationFigures.noise(run, $0) }
    }
    for (level, result) in run.noise.enumerated() where run.table.row(level: level) != nil {
      if case .failure(let reason) = result {
        section.notes.append("No model at confidence \(level): \(reason).")
      }
    }
    for noise in found where !noise.hasConverged {
      section.notes.append("The fit at confidence \(noise.level) did not come to rest: take it with care.")
    }
    section.notes += notes(run, found)
    section.notes += found.compactMap { departure($0, run) }
    return section
  }

  /// Kept pixels that a range needs before the model is held against it.
  private static let fewestInRange = 200

  /// How far the ranges lie from the two curves.
  private static func departure(_ noise: LevelNoise, _ run: CalibrationRun) -> String? {
    let ranges = run.table.rows.filter { $0.cell.level == noise.level }.compactMap { row in
      row.cell.bin.flatMap { bin in run.kept(level: noise.level, bin: bin).map { (bin, $0) } }
    }.filter { $0.1.count >= fewestInRange }
    guard ranges.count > 1 else { return nil }
    var (ratios, offsets) = ([Double](), [Double]())
    for (bin, kept) in ranges {
      let depth = (Double(bin) + 0.5) * CalibrationPlan.binWidth
      let deviation = noise.parameters.deviation(at: depth)
      ratios.append(kept.deviation / deviation)
      offsets.append(abs(kept.median - noise.parameters.mean(at: depth)) / deviation)
    }
    return
      "Confidence \(noise.level): in the \(ranges.count) ranges with at least \(fewestInRange) kept pixels the robust scale is "
      + "\(Quantity(ratios.min(), .significant(2)).text) to \(Quantity(ratios.max(), .significant(2)).text) times σ(d), and the median lies within "
      + "\(Quantity(offsets.max(), .significant(2)).text)·σ(d) of the bias line."
  }

  private static func notes(_ run: CalibrationRun, _ found: [LevelNoise]) -> [String] {
    guard let clusters = found.map(\.clusters).min() else { return [] }
    guard clusters > 1 else { return ["Point values only: there is nothing to take an interval over."] }
    let units = run.units == .scenes ? "scenes" : "blocks of frames of the one scene"
    var notes = [
      "Brackets are 95 % intervals by leaving \(units) out (the sandwich estimator in its jackknife form) and Student's t, of a² and b², cut off at 0, as "
        + "roots."
        + (run.units == .frameBlocks ? " They are **not valid beyond that scene**." : "")
    ]
    if run.units == .scenes && clusters < fewClusters {
      notes.append(
        "With \(clusters) scenes these intervals are wide and still uncertain: five or more are needed.")
    }
    for noise in found where noise.law.a == 0 || noise.law.b == 0 {
      notes.append(
        "At confidence \(noise.level) \(noise.law.a == 0 ? "a" : "b") is 0: the data show no such part of the noise."
      )
    }
    return notes
  }

  private static func table(_ found: [LevelNoise]) -> DisplayTable {
    func value(
      _ value: Double, _ interval: Interval?, _ factor: Double, _ decimals: Int
    ) -> DisplayTable.Cell {
      .init(CalibrationWords.value(value, interval?.low, interval?.high, factor: factor, decimals: decimals))
    }
    return DisplayTable(
      columns: [
        .init("confidence"), .init("a [mm]"), .init("b [%]"), .init("σ at 2 m [mm]"), .init("m₀ [mm]"),
        .init("m₁ [%]"), .init("bias at 2 m [mm]"), .init("outliers ε [%]"), .init("pixels"),
      ],
      cells: found.map { noise in
        let parameters = noise.parameters
        return [
          .init(count: noise.level), value(noise.law.a, noise.a, 1000, 2),
          value(noise.law.b, noise.b, 100, 3),
          value(parameters.deviation(at: 2), noise.deviation(at: 2), 1000, 1),
          value(parameters.bias, noise.bias, 1000, 1), value(parameters.biasSlope, noise.biasSlope, 100, 2),
          value(parameters.mean(at: 2), noise.mean(at: 2), 1000, 1),
          value(parameters.outlierShare, noise.outlierShare, 100, 1), .init(count: noise.samples),
        ]
      })
  }
}
