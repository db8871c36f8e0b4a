extension OrderStatistics {
  /// Indices of `values` in ascending order.
  ///
  /// A radix sort in two passes over the values' places in their range, in steps of 2⁻²⁴ of it; those that share a
  /// place are then compared.
  /// - Parameter precedes: The order of the indices of equal values; by default that of the indices.
  /// - Precondition: finite values.
  /// - Complexity: O(n) where values are spread out, O(n log n) at worst.
  package static func ascendingOrder(of values: [Double], ties precedes: (Int, Int) -> Bool = { $0 < $1 })
    -> [Int]
  {
    func compare(_ i: Int, _ j: Int) -> Bool {
      values[i] == values[j] ? precedes(i, j) : values[i] < values[j]
    }
    var (low, high) = (Double.infinity, -Double.infinity)
    for value in values { (low, high) = (min(low, value), max(high, value)) }
    let places = Double(1 << (2 * digitBits) - 1) / (high - low)
    guard values.count > 64, places > 0, places.isFinite else { return values.indices.sorted(by: compare) }
    // A place and an index in one word; the heights of both passes' bins are counted on the way.
    let count = values.count
    var lower = [UInt32](repeating: 0, count: 1 << digitBits)
    var upper = lower
    var words = [UInt64](unsafeUninitializedCapacity: count) { words, initialized in
      values.withUnsafeBufferPointer { values in
        lower.withUnsafeMutableBufferPointer { lower in
          upper.withUnsafeMutableBufferPointer { upper in
            for i in 0..<count {
              let place = UInt32((values[i] - low) * places)
              words[i] = UInt64(place) << 32 | UInt64(UInt32(truncatingIfNeeded: i))
              lower[Int(place & digitMask)] += 1
              upper[Int(place >> UInt32(digitBits))] += 1
            }
          }
        }
      }
      initialized = count
    }
    words = sorted(words, bySignificantBitsFrom: 32, heights: &lower)
    words = sorted(words, bySignificantBitsFrom: UInt64(32 + digitBits), heights: &upper)
    var order = words.map { Int(truncatingIfNeeded: $0 & 0xffff_ffff) }
    words.withUnsafeBufferPointer { words in
      var end = 1
      while end < words.count {
        // Nearly every place has one value.
        guard words[end] >> 32 == words[end - 1] >> 32 else {
          end += 1
          continue
        }
        let start = end - 1
        while end < words.count, words[end] >> 32 == words[start] >> 32 { end += 1 }
        order[start..<end].sort(by: compare)
      }
    }
    return order
  }

  private static let digitBits = 12, digitMask = UInt32(1 << digitBits - 1)

  /// One stable counting pass over 12 bits.
  /// - Parameter heights: Words in every bin; afterwards where each bin ends.
  private static func sorted(
    _ words: [UInt64], bySignificantBitsFrom shift: UInt64, heights: inout [UInt32]
  ) -> [UInt64] {
    heights.withUnsafeMutableBufferPointer { slots in
      var position: UInt32 = 0
      for i in slots.indices { (slots[i], position) = (position, position + slots[i]) }
      return [UInt64](unsafeUninitializedCapacity: words.count) { buffer, initialized in
        words.withUnsafeBufferPointer { words in
          for word in words {
            let digit = Int(truncatingIfNeeded: word >> shift & UInt64(digitMask))
            buffer[Int(slots[digit])] = word
            slots[digit] &+= 1
          }
        }
        initialized = words.count
      }
    }
  }
}
