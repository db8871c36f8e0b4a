/// How far the ranges of a level lie from its noise model.
public struct NoiseAgreement: Codable, Sendable, Equatable {
  /// Kept pixels that a range needs before the model is compared with it.
  public static let fewestInRange = 200
  /// Ranges with so many.
  public var ranges: Int
  /// Smallest and largest robust scale of a range, as multiples of σ(d).
  public var leastScale: Double, greatestScale: Double
  /// Largest distance of a range's median from the bias line, as a multiple of σ(d).
  public var greatestOffset: Double

  /// - Returns: nil for fewer than two ranges.
  init?(_ noise: LevelNoise, _ run: CalibrationRun) {
    let found = run.table.rows.filter { $0.cell.level == noise.level }.compactMap(\.cell.bin)
      .compactMap { bin -> (scale: Double, offset: Double)? in
        guard let kept = run.kept(level: noise.level, bin: bin), kept.count >= Self.fewestInRange
        else { return nil }
        let depth = (Double(bin) + 0.5) * CalibrationPlan.binWidth
        let deviation = noise.parameters.deviation(at: depth)
        return (kept.deviation / deviation, abs(kept.median - noise.parameters.mean(at: depth)) / deviation)
      }
    guard found.count > 1, let least = found.map(\.scale).min(), let greatest = found.map(\.scale).max(),
      let offset = found.map(\.offset).max()
    else { return nil }
    (ranges, leastScale, greatestScale, greatestOffset) = (found.count, least, greatest, offset)
  }
}
