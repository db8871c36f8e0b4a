/// How much of the error goes when the least confident pixels are left out, against leaving out the worst.
///
/// Error |d−g|/g; 0…99 % of the pixels removed in steps of 1 %. Within a level of confidence the order is unknown,
/// so the expected mean is taken. Areas by the trapezoidal rule over the removed share, not normalised.
/// Source: Ilg et al. 2018; Poggi et al. 2020 (mono-uncertainty); domain §3.
public struct Sparsification: Sendable, Equatable {
  /// Number of points of a curve.
  public static let steps = 100

  /// Mean error of the pixels that are kept when 0, 1, … 99 % of the least confident are removed.
  public let byConfidence: [Double]
  /// The same when the largest errors are removed.
  public let oracle: [Double]

  /// - Parameters:
  ///   - errors: One error per pixel, finite, at least 0.
  ///   - levels: Confidence of each, larger is better.
  /// - Returns: nil for no pixels.
  /// - Precondition: equal lengths.
  /// - Complexity: O(n)
  public init?(errors: [Double], levels: [UInt8]) {
    precondition(errors.count == levels.count, "one confidence per error")
    guard !errors.isEmpty else { return nil }
    let kept = (0..<Self.steps).map { errors.count - $0 * errors.count / Self.steps }
    byConfidence = Self.meansByLevel(errors, levels, kept: kept)
    oracle = Self.meansOfSmallest(errors, kept: kept)
  }

  /// Area between the curve by confidence and the oracle's (AUSE): 0 for a perfect confidence.
  public var area: Double { Self.area(zip(byConfidence, oracle).map { $0 - $1 }) }

  /// Area between no order at all and the curve by confidence (AURG): 0 for a useless confidence.
  public var gainOverRandom: Double { Self.area(byConfidence.map { byConfidence[0] - $0 }) }

  private static func area(_ heights: [Double]) -> Double {
    let step = 1 / Double(steps)
    return zip(heights, heights.dropFirst()).reduce(0) { $0 + ($1.0 + $1.1) / 2 * step }
  }

  private static func meansByLevel(_ errors: [Double], _ levels: [UInt8], kept: [Int]) -> [Double] {
    var counts = [Int](repeating: 0, count: 256)
    var sums = [Double](repeating: 0, count: 256)
    for i in errors.indices {
      counts[Int(levels[i])] += 1
      sums[Int(levels[i])] += errors[i]
    }
    let present = (0..<256).reversed().filter { counts[$0] > 0 }
    return kept.map { wanted in
      var (missing, sum) = (wanted, 0.0)
      for level in present where missing > 0 {
        let taken = min(missing, counts[level])
        sum += sums[level] * Double(taken) / Double(counts[level])
        missing -= taken
      }
      return sum / Double(wanted)
    }
  }

  /// Means of the `kept` smallest errors: a histogram over leading bits, and only the bins in which a cut falls
  /// are sorted.
  private static func meansOfSmallest(_ errors: [Double], kept: [Int]) -> [Double] {
    // Non-negative doubles are ordered like their bit patterns.
    func bin(_ error: Double) -> Int { Int(truncatingIfNeeded: error.bitPattern >> 47) }
    var counts = [Int32](repeating: 0, count: 1 << 16)
    var sums = [Double](repeating: 0, count: 1 << 16)
    for error in errors {
      counts[bin(error)] += 1
      sums[bin(error)] += error
    }
    // The bin in which each cut falls, with what lies below it.
    var cuts: [Int: (below: Int, sumBelow: Double)] = [:]
    var (below, sumBelow, next) = (0, 0.0, kept.count - 1)
    for index in counts.indices where counts[index] > 0 {
      while next >= 0, kept[next] <= below + Int(counts[index]) {
        cuts[index] = (below, sumBelow)
        next -= 1
      }
      below += Int(counts[index])
      sumBelow += sums[index]
    }
    var members: [Int: [Double]] = [:]
    for error in errors where cuts[bin(error)] != nil { members[bin(error), default: []].append(error) }
    var means = [Double](repeating: 0, count: kept.count)
    for (index, cut) in cuts {
      let sorted = (members[index] ?? []).sorted()
      for (position, wanted) in kept.enumerated()
      where wanted > cut.below && wanted <= cut.below + sorted.count {
        let sum = sorted.prefix(wanted - cut.below).reduce(cut.sumBelow, +)
        means[position] = sum / Double(wanted)
      }
    }
    return means
  }
}
