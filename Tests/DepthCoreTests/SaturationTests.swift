import DepthCore
import Testing

@Suite struct SaturationTests {
  @Test("a number from data becomes the nearest integer that fits, and none 0")
  func everyNumberHasAnInteger() {
    #expect([2.9, -2.9, 0, -0.0].map { Int(saturating: $0) } == [2, -2, 0, 0])
    #expect([1e300, .infinity, 0x1p63].map { Int(saturating: $0) } == [.max, .max, .max])
    #expect([-1e300, -.infinity, -0x1p63].map { Int(saturating: $0) } == [.min, .min, .min])
    #expect(Int(saturating: Double.nan) == 0 && Int(saturating: -Float.nan) == 0)
    #expect(UInt8(saturating: 300.0) == 255 && UInt8(saturating: -1.0) == 0)
    #expect(Int32(saturating: Float(3e38)) == .max)
    #expect(Int(saturating: 0x1p63 - 1024) == 9_223_372_036_854_774_784)
  }
}
