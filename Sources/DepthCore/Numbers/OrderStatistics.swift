import CFathomKernels

/// Exact order statistics without sorting.
public enum OrderStatistics {
  /// The quantile of `values`, by linear interpolation between order statistics (Hyndman & Fan 1996, type 7; numpy's default).
  /// - Parameter q: 0…1.
  /// - Parameter values: Not NaN, any order, any sign.
  /// - Returns: nil for no values.
  /// - Complexity: O(n) on average.
  public static func quantile(_ q: Double, of values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let position = q * Double(values.count - 1)
    let rank = Int(position.rounded(.down))
    let (lower, upper) = neighbours(of: rank, in: values)
    let share = position - Double(rank)
    return share > 0 ? lower + (upper - lower) * share : lower
  }

  /// The mean of the middle two, or the middle one.
  public static func median(of values: [Double]) -> Double? { quantile(0.5, of: values) }

  /// Orders doubles like their bit patterns, so that a bin of leading bits is an interval of values.
  @inline(__always) static func key(_ value: Double) -> UInt64 {
    let bits = value.bitPattern
    return bits >> 63 == 0 ? bits | (1 << 63) : ~bits
  }

  @inline(__always) static func value(_ key: UInt64) -> Double {
    Double(bitPattern: key >> 63 == 0 ? ~key : key & ~(1 << 63))
  }

  /// Interval of values, one of 65,536, that `value` lies in.
  @inline(__always) static func bin(of value: Double) -> Int { Int(truncatingIfNeeded: key(value) >> 48) }

  /// Order statistic `rank`, from 0.
  package static func value(at rank: Int, of values: [Double]) -> Double {
    neighbours(of: rank, in: values).0
  }

  /// The values from one to another, both included, in their order.
  package static func values(of values: [Double], from low: Double, to high: Double) -> [Double] {
    members(of: values, between: low, and: high).members
  }

  /// Order statistics `rank` and `rank + 1` (the same where there is no next).
  package static func neighbours(of rank: Int, in values: [Double]) -> (Double, Double) {
    guard values.count > 32 else {
      let sorted = values.sorted()
      return (sorted[rank], sorted[min(rank + 1, values.count - 1)])
    }
    guard let near = Near(rank, in: values), near.local + 1 < near.members.count || rank + 1 == values.count
    else { return neighbours(of: rank, selectedFrom: values) }
    // Many members are looked at like all values; equal ones would stay as many.
    return near.members.count < values.count / 2
      ? neighbours(of: near.local, in: near.members) : neighbours(of: near.local, selectedFrom: near.members)
  }

  /// Sum of the smallest values.
  /// - Precondition: There are so many.
  package static func sum(ofSmallest count: Int, of values: [Double]) -> Double {
    guard count > 0 else { return 0 }
    let near = Near(count - 1, in: values)
    var (rest, kept) = (near?.members ?? values, near.map { $0.local + 1 } ?? count)
    _ = select(kept - 1, in: &rest)
    let below = near.map { near in values.reduce(0) { $0 + ($1 < near.low ? $1 : 0) } } ?? 0
    return rest[..<kept].reduce(below, +)
  }

  /// The values among which an order statistic lies.
  ///
  /// A sample tells between which values it very likely lies (after Floyd & Rivest 1975).
  private struct Near {
    let members: [Double]
    let local: Int  // Its rank among them.
    let low: Double  // All values that are less stand before them.

    /// nil where the sample tells nothing, or is wrong.
    init?(_ rank: Int, in values: [Double]) {
      let count = values.count
      guard count > 256 else { return nil }
      let sampled = count > 16_384 ? 1001 : 101
      var generator = SplitMix64(seed: UInt64(count))
      var sample = (0..<sampled).map { _ in
        values[Int(generator.next().multipliedFullWidth(by: UInt64(count)).high)]
      }
      let expected = OrderStatistics.interval(of: rank * sampled / count, in: &sample), below: Int
      low = expected.low
      (below, members) = OrderStatistics.members(of: values, between: low, and: expected.high)
      local = rank - below
      guard local >= 0, local < members.count else { return nil }
    }
  }

  /// Values of a sample between which its order statistic `rank` very likely lies in what the sample is of.
  package static func interval(of rank: Int, in sample: inout [Double]) -> (low: Double, high: Double) {
    // Two and a half standard errors of a sample's median.
    let reach = Int(1.25 * Double(sample.count).squareRoot())
    let (first, last) = (rank - reach, rank + reach)
    let low = first > 0 ? select(first, in: &sample) : -.infinity
    // What lies after the first is at least as large by now.
    return (low, last < sample.count ? select(last, in: &sample, from: max(0, first)) : .infinity)
  }

  private static func neighbours(of rank: Int, selectedFrom values: [Double]) -> (Double, Double) {
    var scratch = values
    let lower = select(rank, in: &scratch)
    // `select` leaves everything after `rank` at least as large.
    return (lower, scratch[(rank + 1)...].min() ?? lower)
  }

  /// Selection by partition; afterwards `values[k]` is in its sorted place and the rest is partitioned about it.
  ///
  /// No branch depends on a comparison of two values, which no processor foresees.
  /// - Parameter start: No value before it is larger than any from it on.
  package static func select(_ k: Int, in values: inout [Double], from start: Int = 0) -> Double {
    values.withUnsafeMutableBufferPointer { v in
      var (low, high) = (start, v.count - 1)
      // The median of three at places that no order of the input foresees: rising, falling, or rising from its middle.
      var generator = SplitMix64(seed: UInt64(v.count))
      func sample() -> Double {
        v[low + Int(generator.next().multipliedFullWidth(by: UInt64(high - low + 1)).high)]
      }
      while low < high {
        let (a, b, c) = (sample(), sample(), sample())
        let pivot = max(min(a, b), min(max(a, b), c))
        let equal = partition(v, low, high) { $0 < pivot }
        if k < equal {
          high = equal - 1
          continue
        }
        let above = partition(v, equal, high) { $0 <= pivot }
        if k < above { break }
        low = above
      }
      return v[k]
    }
  }

  /// Brings what belongs before the rest, in an order of its own.
  /// - Returns: Where the rest begins.
  @inline(__always) private static func partition(
    _ v: UnsafeMutableBufferPointer<Double>, _ low: Int, _ high: Int, belongs: (Double) -> Bool
  ) -> Int {
    var end = low
    for index in low...high {
      let value = v[index]
      v[index] = v[end]
      v[end] = value
      end += belongs(value) ? 1 : 0
    }
    return end
  }

  /// Median of |e|, the median absolute deviation about zero that robust regression uses for residuals.
  public static func medianAbsolute(_ residuals: [Double], weights: [Double]? = nil) -> Double? {
    median(of: residuals.map { abs($0) }, weights: weights)
  }

  /// The same, near a value that it is expected at: one pass where it lies within a share of that.
  package static func medianAbsolute(_ residuals: [Double], near guess: Double, within share: Double)
    -> Double?
  {
    let (below, members) = members(
      of: residuals, between: (1 - share) * guess, and: (1 + share) * guess, magnitudes: true)
    let rank = (residuals.count - 1) / 2 - below
    let isEven = residuals.count % 2 == 0
    guard rank >= 0, rank + (isEven ? 1 : 0) < members.count else {
      // A narrow guess may miss by little.
      return share < 0.15 ? medianAbsolute(residuals, near: guess, within: 0.15) : medianAbsolute(residuals)
    }
    var scratch = members
    let lower = select(rank, in: &scratch)
    guard isEven, let upper = scratch[(rank + 1)...].min() else { return lower }
    return lower + (upper - lower) * 0.5
  }

  /// Order statistic `rank`, expected within an interval: one pass where it lies there.
  package static func select(_ rank: Int, in values: [Double], between low: Double, and high: Double)
    -> Double
  {
    var (below, members) = members(of: values, between: low, and: high)
    guard below <= rank, rank - below < members.count else {
      var scratch = values
      return select(rank, in: &scratch)
    }
    return select(rank - below, in: &members)
  }

  /// What lies in an interval, and how many values lie below it.
  /// - Parameter magnitudes: Whether of |values|.
  private static func members(
    of values: [Double], between low: Double, and high: Double, magnitudes: Bool = false
  ) -> (below: Int, members: [Double]) {
    var below = 0
    let members = [Double](unsafeUninitializedCapacity: values.count) { buffer, count in
      guard let first = buffer.baseAddress else { return }
      count = interval_members(values, values.count, magnitudes ? 1 : 0, low, high, first, &below)
    }
    return (below, members)
  }

  /// Median of |v − median(v)|.
  public static func medianAbsoluteDeviation(_ values: [Double]) -> Double? {
    guard let center = median(of: values) else { return nil }
    return medianAbsolute(values.map { $0 - center })
  }

  /// Makes the median absolute deviation of a normal sample estimate its standard deviation.
  public static let normalConsistency = 1.4826
}
