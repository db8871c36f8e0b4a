import Foundation

/// What the numbers of a LiDAR map may be instead of depths.
enum DepthLaw: Hashable {
  /// ln d, log₂ d or log₁₀ d.
  case logarithm(base: Double)
  /// ln(1 + d).
  case logarithmOfOnePlus
  /// 1/d.
  case reciprocal
  /// So many metres minus d; the largest number that is stored.
  case inverted(from: Double, largest: Double)
  /// Depth is the number to this power, metres.
  case power(Double)

  /// Exponents that are tried first.
  static let powers = [0.6, 0.7, 0.8, 0.9, 1.1, 1.25, 1.4, 1.6].map(DepthLaw.power)

  /// From which people count down: 10 m, 16 bits of millimetres, and other ends of ranges.
  private static let constants = [1.0, 2, 4, 5, 8, 10, 16, 20, 50, 65.535, 65.536, 100]
  /// Metres of the nearest surface, where the constant is not one of these.
  private static let nearest = [0, 0.2, 0.35, 0.6, 1.0, 1.7]

  /// Those that are possible where the numbers end there and have this median.
  ///
  /// A constant minus depths must not make them farther than the numbers are: frames that are far away differ by little in any
  /// reading.
  static func all(upTo largest: Double, median: Double) -> [DepthLaw] {
    let starts = (constants + nearest.map { largest + $0 }).filter { $0 >= largest && $0 < 2 * median }
    return [
      .logarithm(base: M_E), .logarithm(base: 2), .logarithm(base: 10), .logarithmOfOnePlus, .reciprocal,
    ] + starts.map { .inverted(from: $0, largest: largest) }
  }

  /// Metres of a number; not above 0 where there is none.
  func metres(_ number: Double) -> Double {
    switch self {
    // 0 stands for a hole.
    case .logarithm(let base): number == 0 ? 0 : Foundation.pow(base, number)
    case .logarithmOfOnePlus: Foundation.expm1(number)
    case .reciprocal: 1 / number
    case .inverted(let start, _): number > 0 ? start - number : 0
    case .power(let exponent): number > 0 ? Foundation.pow(number, exponent) : 0
    }
  }

  /// In words: name, statement, what to do.
  var named: (id: String, statement: String, fix: String) {
    let (id, statement, inverse) =
      switch self {
      case .logarithm(let base):
        (
          "depth-logarithm",
          "the numbers are logarithms of depth (base \(base == M_E ? "e" : base.rounded1))",
          "\(base == M_E ? "e" : base.rounded1) to the power of them"
        )
      case .logarithmOfOnePlus:
        ("depth-logarithm-1", "the numbers are ln(1 + depth)", "e to the power of them minus 1")
      case .reciprocal:
        ("depth-reciprocal", "the numbers are 1/depth: larger numbers are nearer", "1 divided by them")
      case .inverted(let start, _):
        (
          "depth-inverted", "larger numbers are nearer: they are \(start.rounded2) m minus depth",
          "\(start.rounded2) minus them"
        )
      case .power(let exponent):
        (
          "depth-power", "the numbers are depth to the power of \((1 / exponent).rounded2)",
          "the numbers to the power of \(exponent.rounded2)"
        )
      }
    return (id, statement, "store metres in lidar/depth: \(inverse)")
  }
}
