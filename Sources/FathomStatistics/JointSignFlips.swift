import DepthCore

/// Whether the largest of several means is significantly above zero, whatever the noise is distributed like.
///
/// Where two runs are the same but for noise, swapping them in a scene changes all of its differences to their
/// negatives at once and nothing else. So every choice of swapped scenes is as probable as what was seen; the share of them
/// in which any of the samples has a t statistic as large as this one's is its p-value, corrected for all of them.
/// - SeeAlso: Westfall & Young 1993, "Resampling-based multiple testing", single-step maxT.
package enum JointSignFlips {
  /// Most scenes whose flips are all counted; above, ``drawn`` are drawn.
  package static let exactLimit = 12
  package static let drawn = 10_000

  /// Values by scene, of one comparison.
  package struct Sample {
    package let scenes: [String], values: [Double]
    package init(scenes: [String], values: [Double]) { (self.scenes, self.values) = (scenes, values) }
  }

  /// One-sided p-values for means above zero, corrected for all samples together.
  /// - Parameter seed: Of the flips, where they are drawn.
  package static func pValues(_ samples: [Sample], seed: UInt64) -> [Double] {
    let names = samples.flatMap(\.scenes).firstAppearances.sorted()
    let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    let places = samples.map { $0.scenes.map { numbers[$0] ?? 0 } }
    let observed = samples.map { statistic($0.values) }
    let isExact = names.count <= exactLimit
    let count = isExact ? 1 << names.count : drawn
    var generator = SplitMix64(seed: seed, stream: "sign-flips", names.joined(separator: "\u{1f}"))
    // The choice that was seen is one of them.
    var exceeding = [Int](repeating: isExact ? 0 : 1, count: samples.count)
    var signs = [Double](repeating: 1, count: names.count)
    for choice in 0..<count {
      var bits: UInt64 = 0
      for scene in names.indices {
        if scene.isMultiple(of: 64) { bits = isExact ? UInt64(choice) : generator.next() }
        signs[scene] = bits >> UInt64(scene % 64) & 1 == 0 ? 1 : -1
      }
      var largest = -Double.infinity
      for (index, sample) in samples.enumerated() {
        largest = max(largest, statistic(zip(sample.values, places[index]).map { $0 * signs[$1] }))
      }
      for index in samples.indices where largest >= observed[index] * (1 - 1e-9) - 1e-12 {
        exceeding[index] += 1
      }
    }
    return exceeding.map { Double($0) / Double(isExact ? count : count + 1) }
  }

  /// The smallest p that two samples, values and their negatives, can have: a test of both directions.
  package static func smallestTwoSided(scenes: Int) -> Double {
    scenes <= exactLimit ? 2 / Double(1 << scenes) : 1 / Double(drawn + 1)
  }

  /// Mean over its standard error; infinite where all values are equal.
  private static func statistic(_ values: [Double]) -> Double {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    // Values that are equal but for rounding.
    guard squares > 1e-24 * count * mean * mean else { return mean == 0 ? 0 : mean * .infinity }
    return mean / (squares / (count - 1) / count).squareRoot()
  }
}
