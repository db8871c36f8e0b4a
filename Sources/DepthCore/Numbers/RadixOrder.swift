/// The rising order of numbers, found digit by digit instead of by comparisons.
///
/// - SeeAlso: Knuth, The Art of Computer Programming, volume 3, section 5.2.5.
enum RadixOrder {
  private static let (digitBits, digits) = (11, 6)
  private static let digitCount = 1 << digitBits

  /// Positions of the numbers from the smallest on; equal ones stay in their order, and −0 equals 0.
  ///
  /// - Precondition: no NaN.
  /// - Complexity: O(n)
  static func positions(_ values: [Double]) -> [Int] {
    // −0 + 0 is 0.
    let keys = values.map { OrderStatistics.key($0 + 0) }
    var (order, next) = (Array(values.indices), [Int](repeating: 0, count: values.count))
    var starts = [Int](repeating: 0, count: digitCount)
    for digit in 0..<digits {
      let shift = UInt64(digit * digitBits)
      starts.withUnsafeMutableBufferPointer { starts in
        starts.update(repeating: 0)
        for key in keys { starts[place(key, shift)] += 1 }
        // A digit that all numbers share orders nothing; numbers that were Float have two of them.
        guard let first = keys.first, starts[place(first, shift)] < keys.count else { return }
        var sum = 0
        for index in starts.indices { (starts[index], sum) = (sum, sum + starts[index]) }
        keys.withUnsafeBufferPointer { keys in
          order.withUnsafeBufferPointer { order in
            next.withUnsafeMutableBufferPointer { next in
              for position in order {
                let place = place(keys[position], shift)
                next[starts[place]] = position
                starts[place] += 1
              }
            }
          }
        }
        swap(&order, &next)
      }
    }
    return order
  }

  private static func place(_ key: UInt64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (key >> shift) & UInt64(digitCount - 1))
  }
}
