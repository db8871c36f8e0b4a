extension UnsafeBufferPointer where Element == Double {
  /// The eight values from `index` on, for loops over lanes.
  /// - Precondition: `index + 8 <= count`.
  @inline(__always) func eight(at index: Int) -> SIMD8<Double> {
    UnsafeRawBufferPointer(self).loadUnaligned(
      fromByteOffset: index * MemoryLayout<Double>.stride, as: SIMD8<Double>.self)
  }
}
