import Foundation

/// Numbers of one digit, for ends of scales.
public enum RoundNumber {
  /// The least number of one digit that is not below a value by more than a thousandth; 1e6 beyond a million.
  ///
  /// - Parameter value: Positive.
  public static func above(_ value: Double) -> Double {
    for exponent in -6...6 {
      for digit in [1.0, 2, 3, 4, 5, 6, 8] {
        // Divided rather than multiplied by a fraction: 3/10 is the number that is written 0.3.
        let power = pow(10, Double(abs(exponent)))
        let round = exponent < 0 ? digit / power : digit * power
        if round >= value * 0.999 { return round }
      }
    }
    return 1e6
  }
}
