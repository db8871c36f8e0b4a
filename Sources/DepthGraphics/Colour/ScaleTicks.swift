internal import Foundation

/// Round numbers in a range: multiples of 1, 2 or 5 times a power of ten.
struct ScaleTicks: Sendable, Equatable {
  /// Ascending, within the range.
  let values: [Double]
  /// The same as people read them, all with the same decimals.
  let labels: [String]

  /// - Parameter most: Most ticks; at least 2.
  init(_ range: ClosedRange<Double>, most: Int) {
    let extent = range.upperBound - range.lowerBound
    guard extent / Double(most) > 0, extent.isFinite else {
      (values, labels) = ([range.lowerBound], [String(format: "%.3g", range.lowerBound)])
      return
    }
    var exponent = Int(floor(log10(extent / Double(most))))
    var (step, ticks) = (0.0, [Double]())
    search: while true {
      for digit in [1.0, 2, 5] {
        step = digit * pow(10, Double(exponent))
        let (first, last) = (
          (range.lowerBound / step - 1e-9).rounded(.up), (range.upperBound / step + 1e-9).rounded(.down)
        )
        if last - first + 1 <= Double(most) {
          ticks = last >= first ? (0...Int(last - first)).map { (first + Double($0)) * step } : []
          break search
        }
      }
      exponent += 1
    }
    values = ticks.map { $0 == 0 ? 0 : $0 }
    let decimals = max(0, -exponent)
    labels = values.map { String(format: "%.\(decimals)f", $0) }
  }
}
