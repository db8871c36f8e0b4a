public import DepthFusion

extension Calibration {
  /// What some scenes alone would say: the same estimates and the same rules as of a whole run, without its tables.
  /// - Parameter errors: Scenes with truth.
  /// - Parameter alignments: Scenes with a relative map; may be none.
  /// - Returns: nil where no level has a noise model.
  public init?(fitting errors: [SceneErrors], _ alignments: [SceneAlignment]) {
    let units = CalibrationUnits(errors)
    let noise = (0...2).map { level in
      try? LevelNoise(level: level, clusters: units.samples(level: level)).parameters
    }
    let bins = Set(
      units.units.flatMap { unit in unit.cells.filter { $0.value.returns > 0 }.compactMap(\.key.bin) })
    guard let weights = ConfidenceWeights(noise, bins: bins.sorted()) else { return nil }
    self.init(
      correction: CorrectionFit(errors)?.recommended ?? .identity,
      registration: RegistrationFit(alignments).recommended, confidenceWeights: weights.weights,
      noise: weights.laws)
  }
}
