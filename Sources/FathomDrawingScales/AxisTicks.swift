internal import Foundation

/// Labelled round values in a range, and unlabelled ones between them.
public struct AxisTicks: Sendable, Equatable {
  /// Ascending, within the range.
  public let values: [Double]
  /// One per value.
  public let labels: [String]
  /// Between them, without label.
  public let minor: [Double]

  public init(values: [Double], labels: [String], minor: [Double] = []) {
    (self.values, self.labels, self.minor) = (values, labels, minor)
  }

  /// Multiples of 1, 2 or 5 times a power of ten; the lower end alone where the range has no extent to divide.
  ///
  /// - Parameter most: Most ticks; at least 2.
  public static func linear(in range: ClosedRange<Double>, most: Int) -> AxisTicks {
    let extent = range.upperBound - range.lowerBound
    guard extent / Double(most) > 0, extent.isFinite else {
      let only = range.lowerBound
      return AxisTicks(values: [only], labels: [NumberText.significant(only, digits: 3)])
    }
    let step = step(in: range, most: most)
    let first = (range.lowerBound / step - 1e-9).rounded(.up)
    let last = (range.upperBound / step + 1e-9).rounded(.down)
    let values =
      last >= first ? (0...Int(min(last - first, Double(most)))).map { (first + Double($0)) * step } : []
    let exponent = NumberText.decimalExponent(step)
    let largest = NumberText.decimalExponent(values.map(abs).max() ?? 0)
    let labels = values.map { value in
      largest >= 7 || largest < -4
        ? NumberText.power(value, decimals: min(15, max(0, NumberText.decimalExponent(value) - exponent)))
        : NumberText.fixed(value, decimals: max(0, -exponent))
    }
    return AxisTicks(values: values, labels: labels)
  }

  /// The smallest round step that needs at most so many ticks.
  public static func step(in range: ClosedRange<Double>, most: Int) -> Double {
    let extent = range.upperBound - range.lowerBound
    var exponent = NumberText.decimalExponent(extent / Double(most))
    while true {
      for digit in [1.0, 2, 5] {
        let step = digit * pow(10, Double(exponent))
        let first = (range.lowerBound / step - 1e-9).rounded(.up)
        let last = (range.upperBound / step + 1e-9).rounded(.down)
        if last - first + 1 <= Double(most) { return step }
      }
      exponent += 1
    }
  }

  /// Powers of ten, with 2 and 5 times them where they are few; linear ticks where even those are.
  ///
  /// - Parameter most: Most ticks; at least 2.
  public static func logarithmic(in range: ClosedRange<Double>, most: Int) -> AxisTicks {
    let decades = log10(range.upperBound / range.lowerBound)
    if decades < 0.6 { return linear(in: range, most: most) }
    let minor = multiples(Array(1...9).map(Double.init), in: range)
    let fine = multiples([1, 2, 5], in: range)
    if fine.count <= most {
      return AxisTicks(values: fine, labels: fine.map(NumberText.shortest), minor: minor)
    }
    var (powers, stride) = (multiples([1], in: range), 1)
    let all = powers
    while powers.count > most {
      stride += 1
      powers = all.filter { [stride] in NumberText.decimalExponent($0).isMultiple(of: stride) }
    }
    return AxisTicks(
      values: powers, labels: powers.map(NumberText.shortest), minor: stride == 1 ? minor : [])
  }

  /// The digits times all powers of ten that are in the range.
  static func multiples(_ digits: [Double], in range: ClosedRange<Double>) -> [Double] {
    let exponents =
      NumberText.decimalExponent(range.lowerBound)...NumberText.decimalExponent(range.upperBound)
    let widened = range.lowerBound * (1 - 1e-9)...range.upperBound * (1 + 1e-9)
    return exponents.flatMap { exponent in
      // A division where the power is negative: 5 / 10 is 0.5 exactly, 5 · 10⁻¹ need not be.
      digits.map { exponent < 0 ? $0 / pow(10, Double(-exponent)) : $0 * pow(10, Double(exponent)) }
    }.filter(widened.contains)
  }
}
