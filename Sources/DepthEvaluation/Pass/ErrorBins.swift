import CFathomKernels

/// Errors counted by the leading bits of their floating-point form, which are in the order of the numbers: wherever a rank is
/// wanted, its bin is known at once, and only that bin's members have to be looked at.
struct ErrorBins: ~Copyable {
  static let count = Int(ERROR_BIN_COUNT), coarseCount = Int(ERROR_COARSE_COUNT)
  private let absolute: UnsafeMutablePointer<UInt32>
  /// nil where only coarse bins of relative errors are wanted.
  private let relative: UnsafeMutablePointer<UInt32>?, relativeSums: UnsafeMutablePointer<Double>?
  private let coarse: UnsafeMutablePointer<UInt32>  // Cell after cell.

  /// - Parameter cells: Kinds of pixels whose relative errors are counted apart, in coarse bins.
  /// - Parameter relative: Whether the relative errors of all cells together are counted, too, in bins that are not coarse.
  init(cells: Int, relative isWanted: Bool) {
    absolute = Self.table(of: Self.count)
    relative = isWanted ? Self.table(of: Self.count) : nil
    relativeSums = isWanted ? Self.table(of: Self.count) : nil
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
    relativeSums?.deallocate()
    coarse.deallocate()
  }

  /// Where the kernel counts a cell's errors.
  func pointers(cell: Int) -> error_bins {
    error_bins(
      absolute: absolute, relative: relative, relativeSums: relativeSums,
      relativeCoarse: coarse + cell * Self.coarseCount)
  }

  var absoluteRanks: BinRanks { BinRanks(UnsafeBufferPointer(start: absolute, count: Self.count)) }
  /// Empty where they are not wanted.
  var relativeRanks: BinRanks {
    BinRanks(UnsafeBufferPointer(start: relative, count: relative == nil ? 0 : Self.count))
  }

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

  /// Sum of the relative errors of one bin; 0 where they are not wanted.
  func sumOfRelative(in bin: Int) -> Double { relativeSums?[bin] ?? 0 }

  /// Sums of the relative errors of all bins before some, which ascend.
  func sumsOfRelative(before bins: [Int]) -> [Double] {
    var (sum, next) = (0.0, 0)
    return bins.map { bin in
      while next < bin {
        sum += sumOfRelative(in: next)
        next += 1
      }
      return sum
    }
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
