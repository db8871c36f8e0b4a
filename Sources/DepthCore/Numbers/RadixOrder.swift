/// The rising order of numbers, found digit by digit instead of by comparisons.
/// - SeeAlso: Knuth, The Art of Computer Programming, volume 3, section 5.2.5.
public enum RadixOrder {
  private static let digitBits = 11, digitCount = 1 << digitBits
  /// Numbers up to which comparing them is faster than to count 2,048 digits several times.
  private static let comparisonLimit = 512

  /// The numbers from the smallest on, −0 before 0.
  /// - Precondition: no NaN.
  /// - Complexity: O(n)
  public static func sorted(_ values: [Double]) -> [Double] {
    guard values.count > comparisonLimit else { return values.sorted() }
    let keys = values.map(OrderStatistics.key)
    return ordered(keys, by: keys) { $0 }.map(OrderStatistics.value)
  }

  /// Positions of the numbers from the smallest on; equal ones stay in their order, and −0 equals 0.
  /// - Precondition: no NaN.
  /// - Complexity: O(n)
  package static func positions(_ values: [Double]) -> [Int] {
    // −0 + 0 is 0.
    let keys = values.map { OrderStatistics.key($0 + 0) }
    // A key travels with its position: reading it where it lies would be one far jump for each number and digit.
    let entries = [Entry](unsafeUninitializedCapacity: keys.count) { buffer, initialized in
      for (position, key) in keys.enumerated() {
        buffer.initializeElement(at: position, to: Entry(key: key, position: position))
      }
      initialized = keys.count
    }
    guard entries.count > comparisonLimit else {
      return entries.sorted { ($0.key, $0.position) < ($1.key, $1.position) }.map(\.position)
    }
    return ordered(entries, by: keys, \.key).map(\.position)
  }

  /// The entries by their keys from the smallest on; those of equal keys stay in their order.
  @inline(__always) private static func ordered<Element>(
    _ entries: [Element], by keys: [UInt64], _ key: (Element) -> UInt64
  ) -> [Element] {
    var entries = entries
    var next = entries
    for (shift, starts) in digitStarts(keys) {
      var starts = starts
      entries.withUnsafeBufferPointer { entries in
        next.withUnsafeMutableBufferPointer { next in
          starts.withUnsafeMutableBufferPointer { starts in
            for entry in entries {
              let place = place(key(entry), shift)
              next[Int(starts[place])] = entry
              starts[place] += 1
            }
          }
        }
      }
      swap(&entries, &next)
    }
    return entries
  }

  private struct Entry { let key: UInt64, position: Int }

  /// The shift of every digit that tells numbers apart, from the lowest on, and where each value of it begins.
  ///
  /// Digits begin at the lowest bit in which keys differ: numbers that were Float share 29 bits below it, and numbers of one size most
  /// bits of the exponent.
  private static func digitStarts(_ keys: [UInt64]) -> [(shift: UInt64, starts: [Int32])] {
    guard let first = keys.first else { return [] }
    precondition(keys.count <= Int(Int32.max), "as many numbers as an Int32 counts")
    let differing = keys.reduce(0) { $0 | ($1 ^ first) }
    guard differing != 0 else { return [] }
    let lowest = differing.trailingZeroBitCount
    let digits = (UInt64.bitWidth - differing.leadingZeroBitCount - lowest + digitBits - 1) / digitBits
    var counts = [Int32](repeating: 0, count: digits * digitCount)
    counts.withUnsafeMutableBufferPointer { counts in
      for key in keys {
        for digit in 0..<digits {
          counts[digit * digitCount + place(key, UInt64(lowest + digit * digitBits))] += 1
        }
      }
    }
    return (0..<digits).compactMap { digit in
      let shift = UInt64(lowest + digit * digitBits)
      var starts = Array(counts[digit * digitCount..<(digit + 1) * digitCount])
      // A digit that all numbers share orders nothing.
      guard Int(starts[place(first, shift)]) < keys.count else { return nil }
      var sum: Int32 = 0
      for index in starts.indices { (starts[index], sum) = (sum, sum + starts[index]) }
      return (shift, starts)
    }
  }

  @inline(__always) private static func place(_ key: UInt64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (key >> shift) & UInt64(digitCount - 1))
  }
}
