/// IEEE 754 binary16, which Swift does not have on every platform.
public enum HalfFloat {
  public static func value(_ bits: UInt16) -> Float {
    let (exponent, fraction) = (Int(bits >> 10 & 31), Float(bits & 1023))
    let magnitude =
      switch exponent {
      case 0: Float(sign: .plus, exponent: -24, significand: 1) * fraction
      case 31: fraction == 0 ? Float.infinity : Float.nan
      default: Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1024)
      }
    return bits >> 15 == 1 ? -magnitude : magnitude
  }
}
