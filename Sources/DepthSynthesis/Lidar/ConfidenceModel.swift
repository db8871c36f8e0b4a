internal import Foundation

/// Confidence levels by how hard a pixel is to measure, and the error that goes with them.
///
/// Levels are cut at the quantiles of hardness that give the wanted shares. Within a level the standard
/// deviation of the relative error grows with hardness; each level's scale is found by bisection, so that
/// the median relative error, flying pixels included, is that of a real phone.
struct ConfidenceModel: Sendable {
  /// What the model learns from at one pixel.
  struct Sample: Sendable {
    var hardness: Double
    /// Relative error that geometry alone causes.
    var smear: Double
    /// Standard normal error of the range.
    var noise: Double
  }
  /// Median relative error at confidence 0, 1 and 2, as measured on an iPhone against its next frames.
  static let medianErrors = [0.05, 0.016, 0.004]
  /// Logarithm of the ratio of a level's largest standard deviation to its smallest.
  private static let logSpread = [0.6, 1.2, 1.2]
  /// Hardness at equal steps of rank; the first is the easiest.
  private var ranks: [Double]
  /// Ranks, 0…1, at which level 2 ends and level 1 ends.
  private let endOfHigh: Double, endOfMedium: Double
  /// Median standard deviation of the relative error of each level.
  private var scales = [0.074, 0.023, 0.0058]

  /// - Parameter medianErrors: Of the relative error at confidence 0, 1 and 2.
  init(samples: [Sample], shares: ConfidenceShares, medianErrors: [Double] = ConfidenceModel.medianErrors) {
    let sorted = samples.map(\.hardness).sorted(), steps = min(4096, sorted.count)
    ranks = (0..<steps).map { sorted[$0 * (sorted.count - 1) / max(1, steps - 1)] }
    (endOfHigh, endOfMedium) = (shares.high, shares.high + shares.medium)
    var byLevel: [[(smear: Double, noise: Double)]] = [[], [], []]
    for sample in samples {
      let (level, within) = position(sample.hardness)
      byLevel[level].append((sample.smear, sample.noise * Self.shape(level, within)))
    }
    for level in 0...2 where !byLevel[level].isEmpty {
      scales[level] = Self.scale(byLevel[level], median: medianErrors[level])
    }
  }

  /// Level, and standard deviation of the relative error, of a pixel.
  func level(hardness: Double) -> (level: UInt8, deviation: Double) {
    let (level, within) = position(hardness)
    return (UInt8(level), scales[level] * Self.shape(level, within))
  }

  /// Whether a pixel is among the hardest `share` of level 0.
  func isHardest(_ share: Double, hardness: Double) -> Bool {
    let (level, within) = position(hardness)
    return share > 0 && level == 0 && within >= 1 - share
  }

  /// Standard deviation of the relative error in the middle of level 1.
  var mediumDeviation: Double { scales[1] }

  /// Level, and rank within it, 0…1.
  private func position(_ hardness: Double) -> (level: Int, within: Double) {
    var (low, high) = (0, ranks.count)
    while low < high {
      let middle = (low + high) / 2
      if ranks[middle] < hardness { low = middle + 1 } else { high = middle }
    }
    let rank = Double(low) / Double(ranks.count)
    if rank <= endOfHigh { return (2, rank / max(endOfHigh, 1e-9)) }
    if rank <= endOfMedium { return (1, (rank - endOfHigh) / (endOfMedium - endOfHigh)) }
    return (0, (rank - endOfMedium) / max(1 - endOfMedium, 1e-9))
  }

  private static func shape(_ level: Int, _ within: Double) -> Double {
    exp(logSpread[level] * (within - 0.5))
  }

  /// The factor of the noise that gives the median; bisection, for it grows with the factor.
  private static func scale(_ pixels: [(smear: Double, noise: Double)], median target: Double) -> Double {
    var (low, high) = (0.2 * target, 3 * target)
    for _ in 0..<16 {
      let middle = (low + high) / 2
      let below = pixels.count { abs($0.smear + (1 + $0.smear) * middle * $0.noise) < target }
      if 2 * below > pixels.count { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
