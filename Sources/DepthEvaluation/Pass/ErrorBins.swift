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

  var absoluteCounts: [UInt32] { Self.numbers(absolute) }
  /// Empty where they are not wanted, as ``sumsOfRelative``.
  var relativeCounts: [UInt32] { relative.map { Self.numbers($0) } ?? [] }
  /// Sums of the relative errors of each bin.
  var sumsOfRelative: [Double] { relativeSums.map { Self.numbers($0) } ?? [] }

  private static func numbers<Number>(_ table: UnsafePointer<Number>) -> [Number] {
    Array(UnsafeBufferPointer(start: table, count: count))
  }

  /// Relative errors of some cells together, in coarse bins.
  func coarseCounts(of cells: some Sequence<Int>) -> [UInt32] {
    var counts = [UInt32](repeating: 0, count: Self.coarseCount)
    for cell in cells {
      for bin in counts.indices { counts[bin] += coarse[cell * Self.coarseCount + bin] }
    }
    return counts
  }

  /// Bin of a number that is not negative.
  static func bin(of value: Double) -> Int {
    let place = Int(value.bitPattern >> UInt64(ERROR_BIN_SHIFT)) - Int(ERROR_BIN_BASE)
    return min(max(place, 0), count - 1)
  }
}

/// Numbers of members of bins, and before each.
struct BinRanks {
  private let counts: [UInt32]
  private let before: [Int]  // Numbers before each bin; one more than there are bins.

  init(_ counts: [UInt32]) {
    self.counts = counts
    var total = 0
    before =
      [0]
      + counts.map { count in
        total += Int(count)
        return total
      }
  }

  var total: Int { before[counts.count] }  // All members.
  func count(_ bin: Int) -> Int { Int(counts[bin]) }
  func before(_ bin: Int) -> Int { before[bin] }

  /// The bin of the member of a rank, from 0.
  /// - Precondition: There is a member of that rank.
  func bin(of rank: Int) -> Int {
    // The last bin with at most `rank` members before it that has members itself.
    var (low, high) = (0, counts.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if before[middle + 1] > rank { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
