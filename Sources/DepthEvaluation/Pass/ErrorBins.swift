import CFathomKernels

/// Errors counted by the leading bits of their floating-point form, which are in the order of the numbers: wherever a rank is
/// wanted, its bin is known at once, and only that bin's members have to be looked at.
struct ErrorBins: ~Copyable {
  static let count = Int(ERROR_BIN_COUNT), coarseCount = Int(ERROR_COARSE_COUNT)
  private static let room = 1 << (Int(ERROR_MEMBER_SHIFT) - Int(ERROR_PART_BITS))
  private let absolute: UnsafeMutablePointer<UInt32>
  /// Number and sum of each bin's relative errors in one word; nil where only coarse bins of them are wanted.
  private let relative: UnsafeMutablePointer<UInt64>?
  /// What was in those words.
  private var relativeCounts: [UInt32], relativeSums: [Double]
  private var room = Self.room  // Pixels that can still be counted before a word may be full.
  private let coarse: UnsafeMutablePointer<UInt32>  // Cell after cell.

  /// - Parameter cells: Kinds of pixels whose relative errors are counted apart, in coarse bins.
  /// - Parameter relative: Whether the relative errors of all cells together are counted, too, in bins that are not coarse.
  init(cells: Int, relative isWanted: Bool) {
    absolute = Self.table(of: Self.count)
    relative = isWanted ? Self.table(of: Self.count) : nil
    relativeCounts = Array(repeating: 0, count: isWanted ? Self.count : 0)
    relativeSums = Array(repeating: 0, count: relativeCounts.count)
    coarse = Self.table(of: cells * Self.coarseCount)
  }

  private static func table<Number: Numeric>(of count: Int) -> UnsafeMutablePointer<Number> {
    let pointer = UnsafeMutablePointer<Number>.allocate(capacity: count)
    pointer.initialize(repeating: 0, count: count)
    return pointer
  }

  deinit {
    absolute.deallocate()
    relative?.deallocate()
    coarse.deallocate()
  }

  /// Where the kernel counts the errors of some pixels of a cell.
  mutating func pointers(cell: Int, pixels: Int) -> error_bins {
    if pixels > room { emptyWords() }
    room -= pixels
    return error_bins(
      absolute: absolute, relative: relative, relativeCoarse: coarse + cell * Self.coarseCount)
  }

  /// Takes what is in the words. Must be called once everything is counted.
  mutating func emptyWords() {
    room = Self.room
    guard let relative else { return }
    for bin in 0..<Self.count where relative[bin] != 0 {
      let members = Double(relative[bin] >> UInt64(ERROR_MEMBER_SHIFT))
      let parts = Double(relative[bin] & (1 << UInt64(ERROR_MEMBER_SHIFT) - 1))
      let least = Double(bitPattern: UInt64(bin + Int(ERROR_BIN_BASE)) << UInt64(ERROR_BIN_SHIFT))
      let unit = least.ulp * Double(1 << UInt64(ERROR_PART_SHIFT))
      relativeCounts[bin] += UInt32(members)
      // What a part leaves out is half a unit on the average.
      relativeSums[bin] += least * members + unit * (parts + members / 2)
      relative[bin] = 0
    }
  }

  var absoluteRanks: BinRanks { BinRanks(UnsafeBufferPointer(start: absolute, count: Self.count)) }
  /// Empty where they are not wanted.
  var relativeRanks: BinRanks { relativeCounts.withUnsafeBufferPointer { BinRanks($0) } }

  /// Relative errors of some cells together, in coarse bins.
  func coarseRanks(of cells: some Sequence<Int>) -> BinRanks {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.coarseCount) { counts in
      counts.initialize(repeating: 0)
      for cell in cells {
        let own = coarse + cell * Self.coarseCount
        for bin in 0..<Self.coarseCount { counts[bin] &+= own[bin] }
      }
      return BinRanks(UnsafeBufferPointer(counts))
    }
  }

  /// Sums of the relative errors by bin; empty where they are not wanted.
  /// - Parameter total: Of all of them. It tells the sum of the outer bins, whose members may be smaller or larger than a word
  ///   can say, and corrects the others for their rounding.
  func sumsOfRelative(total: Double) -> [Double] {
    var sums = relativeSums
    guard let last = sums.indices.last else { return sums }
    (sums[0], sums[last]) = (0, 0)
    let inner = sums.reduce(0, +)
    if relativeCounts[last] > 0 {
      sums[last] = max(0, total - inner)
    } else if relativeCounts[0] > 0 {
      sums[0] = min(max(0, total - inner), Double(relativeCounts[0]) * 0x1p-24)
    } else if inner > 0 {
      for bin in sums.indices { sums[bin] *= total / inner }
    }
    return sums
  }

  /// Bin of a number that is not negative.
  static func bin(of value: Double) -> Int {
    let place = Int(value.bitPattern >> UInt64(ERROR_BIN_SHIFT)) - Int(ERROR_BIN_BASE)
    return min(max(place, 0), count - 1)
  }
}

/// Numbers of members of bins, and before each.
struct BinRanks {
  private let before: [Int]  // Numbers before each bin; one more than there are bins.

  init(_ counts: UnsafeBufferPointer<UInt32>) {
    before = Array(unsafeUninitializedCapacity: counts.count + 1) { before, count in
      var total = 0
      for bin in counts.indices {
        before[bin] = total
        total &+= Int(counts[bin])
      }
      (before[counts.count], count) = (total, counts.count + 1)
    }
  }

  /// Of nothing.
  init() { before = [0] }

  var total: Int { before[before.count - 1] }  // All members.
  func count(_ bin: Int) -> Int { before[bin + 1] - before[bin] }
  func before(_ bin: Int) -> Int { before[bin] }

  /// The bin of the member of a rank, from 0.
  /// - Precondition: There is a member of that rank.
  func bin(of rank: Int) -> Int {
    // The last bin with at most `rank` members before it that has members itself.
    var (low, high) = (0, before.count - 2)
    while low < high {
      let middle = (low + high) / 2
      if before[middle + 1] > rank { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
