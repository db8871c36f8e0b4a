/// Means of the smallest of many values, for several numbers of values at once.
///
/// A histogram over leading bits finds the bins in which a cut falls; only those are put in order, and only up to the
/// last cut. Every sum is that of the values below the bin, as they come, plus the bin's own in ascending order.
struct SmallestMeans {
  /// Non-negative doubles are ordered like their bit patterns: sign, exponent and five bits of the fraction.
  private static let shift: UInt64 = 47
  private static let binCount = 1 << 16

  /// A bin in which at least one cut falls.
  private struct Cut {
    let bin: Int
    let below: Int  // Values in smaller bins, and their sum.
    let sumBelow: Double, count: Int
    var positions: [Int]  // Cuts that fall into it: positions in `kept`.
  }

  /// - Parameter values: Finite, at least 0.
  /// - Parameter kept: How many of the smallest are averaged, each 1…n, in descending order.
  /// - Complexity: O(n)
  static func means(_ values: [Double], kept: [Int]) -> [Double] {
    let cuts = cuts(values, kept)
    var slots = [Int16](repeating: -1, count: binCount)
    var starts = [0]
    for (slot, cut) in cuts.enumerated() {
      slots[cut.bin] = Int16(slot)
      starts.append(starts[slot] + cut.count)
    }
    var members = [Double](repeating: 0, count: starts[cuts.count])
    var next = starts
    members.withUnsafeMutableBufferPointer { members in
      values.withUnsafeBufferPointer { values in
        slots.withUnsafeBufferPointer { slots in
          next.withUnsafeMutableBufferPointer { next in
            for value in values {
              let slot = Int(slots[bin(value)])
              guard slot >= 0 else { continue }
              members[next[slot]] = value
              next[slot] += 1
            }
          }
        }
      }
    }
    var means = [Double](repeating: 0, count: kept.count)
    for (slot, cut) in cuts.enumerated() {
      let wanted = cut.positions.map { (position: $0, rank: kept[$0] - cut.below) }
        .sorted { $0.rank < $1.rank }
      let ordered = ascending(members[starts[slot]..<starts[slot + 1]], upTo: wanted.last?.rank ?? 0)
      var (sum, added) = (cut.sumBelow, 0)
      for (position, rank) in wanted {
        while added < rank {
          sum += ordered[added]
          added += 1
        }
        means[position] = sum / Double(kept[position])
      }
    }
    return means
  }

  @inline(__always)
  private static func bin(_ value: Double) -> Int { Int(truncatingIfNeeded: value.bitPattern >> shift) }

  private static func cuts(_ values: [Double], _ kept: [Int]) -> [Cut] {
    var counts = [Int32](repeating: 0, count: binCount)
    var sums = [Double](repeating: 0, count: binCount)
    values.withUnsafeBufferPointer { values in
      counts.withUnsafeMutableBufferPointer { counts in
        sums.withUnsafeMutableBufferPointer { sums in
          for value in values {
            let bin = bin(value)
            counts[bin] += 1
            sums[bin] += value
          }
        }
      }
    }
    var cuts: [Cut] = []
    var (below, sumBelow, next) = (0, 0.0, kept.count - 1)
    for bin in counts.indices where counts[bin] > 0 {
      let count = Int(counts[bin])
      var positions: [Int] = []
      while next >= 0, kept[next] <= below + count {
        positions.append(next)
        next -= 1
      }
      if !positions.isEmpty {
        cuts.append(Cut(bin: bin, below: below, sumBelow: sumBelow, count: count, positions: positions))
      }
      below += count
      sumBelow += sums[bin]
    }
    return cuts
  }

  /// The values of one bin in ascending order; beyond the first `limit` in no particular one.
  ///
  /// They are dealt to about a fourth as many boxes by the bits that follow the bin's, and each box is sorted by itself.
  private static func ascending(_ values: ArraySlice<Double>, upTo limit: Int) -> [Double] {
    guard values.count > 64 else { return values.sorted() }
    let bits = min(16, UInt64(values.count.bitWidth - 1 - values.count.leadingZeroBitCount) - 2)
    let boxCount = 1 << Int(bits)
    let (boxShift, mask) = (shift - bits, UInt64(boxCount - 1))
    @inline(__always)
    func box(_ value: Double) -> Int { Int(truncatingIfNeeded: (value.bitPattern >> boxShift) & mask) }
    var ends = [Int32](repeating: 0, count: boxCount)
    for value in values { ends[box(value)] += 1 }
    var total: Int32 = 0
    for index in ends.indices {
      let count = ends[index]
      ends[index] = total
      total += count
    }
    var result = [Double](repeating: 0, count: values.count)
    result.withUnsafeMutableBufferPointer { result in
      ends.withUnsafeMutableBufferPointer { ends in
        for value in values {
          let index = box(value)
          result[Int(ends[index])] = value
          ends[index] += 1
        }
        var start = 0
        for end in ends where Int(end) > start {
          sort(result, start, Int(end))
          start = Int(end)
          if start >= limit { break }
        }
      }
    }
    return result
  }

  private static func sort(_ values: UnsafeMutableBufferPointer<Double>, _ start: Int, _ end: Int) {
    guard end - start <= 32 else {
      values[start..<end].sort()
      return
    }
    for i in start + 1..<max(end, start + 1) {
      let value = values[i]
      var j = i
      while j > start, values[j - 1] > value {
        values[j] = values[j - 1]
        j -= 1
      }
      values[j] = value
    }
  }
}
