extension OrderStatistics {
  /// Indices of `values` in ascending order.
  ///
  /// A radix sort in two passes over the values' places in their range, in steps of 2⁻²⁴ of it; those that share a
  /// place are then compared.
  ///
  /// - Parameter precedes: The order of the indices of equal values; by default that of the indices.
  /// - Precondition: finite values.
  /// - Complexity: O(n) where values are spread out, O(n log n) at worst.
  static func ascendingOrder(of values: [Double], ties precedes: (Int, Int) -> Bool = { $0 < $1 }) -> [Int] {
    func compare(_ i: Int, _ j: Int) -> Bool {
      values[i] == values[j] ? precedes(i, j) : values[i] < values[j]
    }
    var (low, high) = (Double.infinity, -Double.infinity)
    for value in values { (low, high) = (min(low, value), max(high, value)) }
    let places = Double(1 << (2 * digitBits) - 1) / (high - low)
    guard values.count > 64, places > 0, places.isFinite else { return values.indices.sorted(by: compare) }
    // A place and an index in one word.
    var words = values.indices.map { i in
      UInt64(UInt32((values[i] - low) * places)) << 32 | UInt64(UInt32(truncatingIfNeeded: i))
    }
    for digit in 0..<2 { words = sorted(words, bySignificantBitsFrom: UInt64(32 + digit * digitBits)) }
    var order = words.map { Int(truncatingIfNeeded: $0 & 0xffff_ffff) }
    var start = 0
    while start < words.count {
      var end = start + 1
      while end < words.count, words[end] >> 32 == words[start] >> 32 { end += 1 }
      if end - start > 1 { order[start..<end].sort(by: compare) }
      start = end
    }
    return order
  }

  private static let digitBits = 12

  /// One stable counting pass over 12 bits.
  private static func sorted(_ words: [UInt64], bySignificantBitsFrom shift: UInt64) -> [UInt64] {
    let mask = UInt64(1 << digitBits - 1)
    var counts = [Int](repeating: 0, count: 1 << digitBits)
    return counts.withUnsafeMutableBufferPointer { slots in
      for word in words { slots[Int(truncatingIfNeeded: word >> shift & mask)] += 1 }
      var position = 0
      for i in slots.indices { (slots[i], position) = (position, position + slots[i]) }
      return [UInt64](unsafeUninitializedCapacity: words.count) { buffer, initialized in
        for word in words {
          let digit = Int(truncatingIfNeeded: word >> shift & mask)
          buffer[slots[digit]] = word
          slots[digit] += 1
        }
        initialized = words.count
      }
    }
  }
}
