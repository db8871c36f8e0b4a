/// Range, coverage and median of a stream of numbers in constant memory.
struct ValueStatistics {
  /// Whether zero, negative and absurdly large numbers count as missing.
  let isDepth: Bool
  private var total = 0
  private var valid = 0
  private var minimum = Float.infinity
  private var maximum = -Float.infinity
  /// Counts by the upper 20 bits of an order-preserving code: sign, exponent, 11 bits of mantissa. In pages that exist only
  /// where numbers are, because a file may have thousands of small arrays.
  private var counts: [Int] = []
  /// Where the page of a code's upper bits starts; nil where there is none.
  private var pages = [Int?](repeating: nil, count: (1 << 20) / Self.pageSize)
  private static let pageSize = 1 << 10
  init(isDepth: Bool) { self.isDepth = isDepth }

  mutating func add(_ values: [Float]) {
    total += values.count
    for value in values where value.isFinite && (!isDepth || value > 0 && value <= SchemaLimits.depth) {
      valid += 1
      minimum = min(minimum, value)
      maximum = max(maximum, value)
      let bin = Self.bin(value)
      counts[page(bin / Self.pageSize) + bin % Self.pageSize] += 1
    }
  }

  private mutating func page(_ number: Int) -> Int {
    if let start = pages[number] { return start }
    let start = counts.count
    counts.append(contentsOf: repeatElement(0, count: Self.pageSize))
    pages[number] = start
    return start
  }

  var summary: ValueSummary {
    ValueSummary(
      validShare: total == 0 ? 0 : Double(valid) / Double(total),
      minimum: valid == 0 ? nil : Double(minimum), median: median, maximum: valid == 0 ? nil : Double(maximum)
    )
  }

  private var median: Double? {
    guard valid > 0 else { return nil }
    var remaining = (valid - 1) / 2
    for (number, start) in pages.enumerated() {
      guard let start else { continue }
      for (offset, count) in counts[start..<start + Self.pageSize].enumerated() {
        let bin = number * Self.pageSize + offset
        if remaining < count { return Double(min(max(Self.middle(of: bin), minimum), maximum)) }
        remaining -= count
      }
    }
    return nil
  }

  /// Larger numbers have larger codes.
  private static func bin(_ value: Float) -> Int {
    let bits = value.bitPattern, ordered = bits >> 31 == 1 ? ~bits : bits | 1 << 31
    return Int(ordered >> 12)
  }

  private static func middle(of bin: Int) -> Float {
    let ordered = UInt32(bin) << 12 | 1 << 11
    return Float(bitPattern: ordered >> 31 == 1 ? ordered & ~(1 << 31) : ~ordered)
  }
}
