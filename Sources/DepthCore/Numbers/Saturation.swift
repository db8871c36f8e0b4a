extension FixedWidthInteger {
  /// The whole part of a number that comes from data, which may be anything: the nearest integer where it does not fit,
  /// 0 where it is not a number.
  @inlinable public init(saturating value: Double) {
    // Every Double below 2⁶³ in size has a whole part that fits.
    let whole: Int64 = abs(value) < 0x1p63 ? Int64(value) : value.isNaN ? 0 : value < 0 ? .min : .max
    self.init(clamping: whole)
  }

  /// The same of a Float.
  @inlinable public init(saturating value: Float) { self.init(saturating: Double(value)) }
}
