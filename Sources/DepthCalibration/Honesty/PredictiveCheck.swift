import DepthCore
public import FathomStatistics

/// Whether a level's noise model promises what comes true on data that it has not seen.
///
/// The model is fitted without a scene (or fold of scenes), then says for each of that scene's kept pixels with what probability the
/// error is smaller: the probability integral transform (PIT). An honest model makes it uniform, and the central interval
/// of probability p holds a share p of the errors.
/// - SeeAlso: Dawid 1984; Gneiting, Balabdaoui & Raftery 2007, "Probabilistic forecasts, calibration and sharpness".
public struct PredictiveCheck: Sendable {
  /// A share of the pixels with its interval over scenes.
  public struct Share: Sendable {
    /// Mean over scenes.
    public let value: Double
    public let interval: ConfidenceInterval?
  }
  /// What an interval promises and holds.
  public struct Coverage: Sendable {
    /// Promised probability.
    public let nominal: Double
    /// Share that the model's central interval holds: bias, σ and outliers.
    public let model: Share
    /// Share of |error| ≤ z·σ(d): what a and b alone promise.
    public let noiseOnly: Share
  }
  /// What the model was judged on.
  public enum Judged: String, Codable, Sendable {
    case otherScenes = "scenes left out", otherFrames = "blocks of frames left out"
    /// There is only one unit: nothing can be held out.
    case ownData = "its own data"
  }
  public enum Verdict: String, Codable, Sendable {
    case honest, tooNarrow = "too narrow", tooWide = "too wide"
    /// Too narrow at some probabilities, too wide at others: the errors are not of the model's shape.
    case wrongShape = "wrong shape"
    /// Off, but with so few or so different scenes that chance may be the reason.
    case undecided
  }

  /// Promised probabilities, and those that decide.
  public static let nominals = [0.5, 0.68, 0.8, 0.9, 0.95, 0.99]
  public static let deciding = [0.68, 0.9, 0.95, 0.99]
  /// Difference between promise and share that still passes: 2 %, but no more than half of what may lie outside.
  public static func tolerance(_ nominal: Double) -> Double { min(0.02, (1 - nominal) / 2) }
  /// Bins of the PIT histogram.
  public static let binCount = 20
  private static let mostFolds = 10
  public let level: Int, judged: Judged
  /// Models that were fitted for it.
  public let folds: Int
  /// Scenes, or blocks of frames, that were judged.
  public let units: Int
  /// Pixels judged.
  public let samples: Int
  /// Share of the pixels whose PIT lies in each of ``binCount`` equal bins; 1/``binCount`` is uniform.
  public let bins: [Share]
  public let coverages: [Coverage]

  /// - Returns: nil where no model can be fitted or nothing be judged.
  init?(level: Int, units: CalibrationUnits, model: NoiseParameters, _ bootstrap: inout SceneBootstrap) {
    let clusters = units.samples(level: level)
    let present = clusters.indices.filter { !clusters[$0].isEmpty }
    let folds = min(Self.mostFolds, present.count)
    var judgements = [Judgement?](repeating: nil, count: clusters.count)
    for fold in 0..<folds {
      let judgedUnits = present.enumerated().filter { $0.offset % folds == fold }.map(\.element)
      let others = present.filter { !judgedUnits.contains($0) }.flatMap { clusters[$0] }
      let fitted = folds > 1 ? (try? NoiseFit(others, from: model))?.parameters : model
      guard let fitted else { continue }
      for unit in judgedUnits { judgements[unit] = Judgement(clusters[unit], by: fitted) }
    }
    let found = clusters.indices.compactMap { index in
      judgements[index].map { (units.units[index].name, $0) }
    }
    guard !found.isEmpty else { return nil }
    (self.level, self.folds) = (level, folds)
    self.units = found.count
    judged = folds == 1 ? .ownData : units.kind == .scenes ? .otherScenes : .otherFrames
    samples = found.reduce(0) { $0 + $1.1.count }
    func share(_ value: (Judgement) -> Double) -> Share {
      let values = found.map { value($0.1) }
      return Share(
        value: values.reduce(0, +) / Double(values.count),
        interval: bootstrap.interval(ofMean: values, scenes: found.map(\.0), possible: 0...1))
    }
    bins = (0..<Self.binCount).map { bin in share { $0.bins[bin] } }
    coverages = Self.nominals.indices.map { index in
      Coverage(
        nominal: Self.nominals[index], model: share { $0.model[index] },
        noiseOnly: share { $0.noiseOnly[index] })
    }
  }

  /// What the model's own intervals deserve.
  public var verdict: Verdict { verdict(coverages.map { ($0.nominal, $0.model) }) }
  /// What the intervals ±z·σ of a and b alone deserve.
  public var noiseOnlyVerdict: Verdict { verdict(coverages.map { ($0.nominal, $0.noiseOnly) }) }
  /// Whether a verdict says no more than that the model agrees with what it was fitted to.
  public func isUntested(_ verdict: Verdict) -> Bool { judged == .ownData && verdict == .honest }
  /// Fewest units whose interval may decide: that of two or three is hardly more than their range.
  public static let fewestUnits = 4

  private func verdict(_ shares: [(nominal: Double, share: Share)]) -> Verdict {
    let suspicious = shares.filter { nominal, share in
      Self.deciding.contains(nominal) && abs(share.value - nominal) > Self.tolerance(nominal)
    }
    guard !suspicious.isEmpty else { return .honest }
    let off = suspicious.filter { nominal, share in
      units >= Self.fewestUnits && share.interval.map { $0.low > nominal || $0.high < nominal } == true
    }
    guard !off.isEmpty else { return .undecided }
    let narrow = off.contains { $0.share.value < $0.nominal }
    let wide = off.contains { $0.share.value > $0.nominal }
    return narrow && wide ? .wrongShape : narrow ? .tooNarrow : .tooWide
  }
}

/// One unit's shares.
private struct Judgement {
  let bins: [Double], model: [Double], noiseOnly: [Double], count: Int

  init(_ samples: [ErrorSample], by parameters: NoiseParameters) {
    var bins = [Int](repeating: 0, count: PredictiveCheck.binCount)
    var model = [Int](repeating: 0, count: PredictiveCheck.nominals.count), noiseOnly = model
    let reach = PredictiveCheck.nominals.map { NormalDistribution.quantile(0.5 + $0 / 2) }
    for sample in samples {
      let p = parameters.cumulative(sample)
      bins[min(bins.count - 1, Int(saturating: p * Double(bins.count)))] += 1
      let z = abs(sample.error) / parameters.deviation(at: sample.depth)
      for (index, nominal) in PredictiveCheck.nominals.enumerated() {
        if abs(p - 0.5) <= nominal / 2 { model[index] += 1 }
        if z <= reach[index] { noiseOnly[index] += 1 }
      }
    }
    func shares(_ counts: [Int]) -> [Double] { counts.map { Double($0) / Double(samples.count) } }
    (self.bins, self.model, self.noiseOnly) = (shares(bins), shares(model), shares(noiseOnly))
    count = samples.count
  }
}
