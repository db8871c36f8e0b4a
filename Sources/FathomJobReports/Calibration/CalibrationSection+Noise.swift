import FathomDocuments
import FathomPlainText
import DepthCalibration
import DepthCore

extension CalibrationSection {
  /// The noise model and the bias line.
  static func noise(_ run: CalibrationRun, _ verdict: CalibrationVerdict) -> CalibrationSection {
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
    for level in verdict.levels where level.hasConverged == false {
      section.notes.append("The fit at confidence \(level.level) did not converge: use it with care.")
    }
    section.notes += intervals(run, verdict) + verdict.levels.compactMap(missingPart)
    section.notes += verdict.levels.compactMap { level in
      level.agreement.map { agreement($0, of: level.level) }
    }
    return section
  }

  /// How far the ranges lie from the two curves.
  private static func agreement(_ found: NoiseAgreement, of level: Int) -> String {
    "Confidence \(level): in the \(found.ranges) ranges with at least \(NoiseAgreement.fewestInRange) kept pixels the robust scale is "
      + "\(Quantity(found.leastScale, .significant(2)).text) to \(Quantity(found.greatestScale, .significant(2)).text) times σ(d), and the median lies within "
      + "\(Quantity(found.greatestOffset, .significant(2)).text)·σ(d) of the bias line."
  }

  /// What brackets are worth.
  private static func intervals(_ run: CalibrationRun, _ verdict: CalibrationVerdict) -> [String] {
    func brackets(over units: String) -> String {
      "Brackets are 95 % intervals by leaving \(units) out (the sandwich estimator in its jackknife form) and Student's t, of a² and b², cut off at 0, as "
        + "roots."
    }
    switch verdict.noiseIntervals {
    case nil: return []
    case .pointValues: return ["Point values only: there is nothing to take an interval over."]
    case .withinScene:
      return [
        brackets(over: "blocks of frames of the one scene") + " They are **not valid beyond that scene**."
      ]
    case .overScenes: return [brackets(over: "scenes")]
    case .uncertain:
      return [
        brackets(over: "scenes"),
        "With \(NoiseIntervals.clusters(run) ?? 0) scenes these intervals are wide and still uncertain: five or more are needed.",
      ]
    }
  }

  private static func missingPart(_ level: CalibrationVerdict.Level) -> String? {
    let part: String
    switch level.parts {
    case nil, .both: return nil
    case .constant: part = "b"
    case .proportional: part = "a"
    }
    return "At confidence \(level.level) \(part) is 0: the data show no such part of the noise."
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
