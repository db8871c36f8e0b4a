internal import DepthCore

extension SplitMix64 {
  /// Uniform in 0..<1, from the upper 53 bits.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
  /// Uniform between two bounds.
  mutating func uniform(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }
  /// Uniform in −1…1, symmetric about zero.
  mutating func signedUnit() -> Double { 2 * unit() - 1 }

  /// Standard normal to the eye: the sum of eight uniform numbers (Irwin–Hall), at most 4.9 in size.
  ///
  /// Made of additions only, so the same on every platform, whatever its logarithm.
  mutating func normal() -> Double {
    let sum = Self.fourUniforms(next()) + Self.fourUniforms(next())
    return (Double(sum) * 0x1p-16 - 4) * 1.224_744_871_391_589  // √(12/8)
  }

  mutating func index(below count: Int) -> Int { min(count - 1, Int(unit() * Double(count))) }

  private static func fourUniforms(_ bits: UInt64) -> UInt64 {
    (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48)
  }
}
