/// Range, coverage and median of a stream of numbers in constant memory.
struct ValueStatistics {
  /// Whether zero, negative and absurdly large numbers count as missing.
  let isDepth: Bool
  private var total = 0
  private var valid = 0
  private var minimum = Float.infinity
  private var maximum = -Float.infinity
  /// Counts by the upper 20 bits of an order-preserving code: sign, exponent, 11 bits of mantissa.
  private var histogram = [Int](repeating: 0, count: 1 << 20)

  init(isDepth: Bool) { self.isDepth = isDepth }

  mutating func add(_ values: [Float]) {
    total += values.count
    for value in values where value.isFinite && (!isDepth || value > 0 && value <= SchemaLimits.depth) {
      valid += 1
      minimum = min(minimum, value)
      maximum = max(maximum, value)
      histogram[Self.bin(value)] += 1
    }
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
    for (bin, count) in histogram.enumerated() {
      if remaining < count { return Double(min(max(Self.middle(of: bin), minimum), maximum)) }
      remaining -= count
    }
    return nil
  }

  /// Larger numbers have larger codes.
  private static func bin(_ value: Float) -> Int {
    let bits = value.bitPattern
    let ordered = bits >> 31 == 1 ? ~bits : bits | 1 << 31
    return Int(ordered >> 12)
  }

  private static func middle(of bin: Int) -> Float {
    let ordered = UInt32(bin) << 12 | 1 << 11
    return Float(bitPattern: ordered >> 31 == 1 ? ordered & ~(1 << 31) : ~ordered)
  }
}
