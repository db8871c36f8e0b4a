import DepthCore
internal import DepthImport
internal import FathomPlainText
private import Foundation

/// What numbers that do not fit a network's errors as standard deviations may be instead.
struct DeviationReading {
  /// A pixel with truth: the number as it is stored, σ as it is used, the depth, and the error's size, above 0.
  struct Pixel {
    let number: Double, deviation: Double, size: Double, error: Double
  }

  /// "variances".
  let words: String
  let advice: Wording
  private let deviation: (Pixel) -> Double

  private static let fewest = 200
  /// Readings whose spreads differ by less follow the errors equally well.
  private static let likeliest = 0.02
  private static let fitting = 0.8...1.25, possible = 0.5...2.0  // Of the median error over that of honest σ.

  /// - Returns: nil where the numbers fit as they are used, or nothing else fits and follows the errors as well.
  static func fitting(_ pixels: [Pixel], _ maps: DeviationMaps) -> DeviationReading? {
    let stated = Fit(pixels, \.deviation)
    // Of a few numbers that are above 0 nothing is known.
    if let stated, 2 * stated.count > pixels.count, possible.contains(stated.ratio) { return nil }
    let found = all(maps).compactMap { reading in Fit(pixels, reading.deviation).map { (reading, $0) } }
      .filter { fitting.contains($1.ratio) && 2 * $1.count > pixels.count }
    let most = (stated.map { 2 * $0.count > pixels.count ? $0.spread : .infinity } ?? .infinity) + 1e-6
    let following = found.filter { $1.spread <= most }
    guard let best = following.map(\.1.spread).min() else { return nil }
    // A unit is likelier than a formula.
    return following.first { $1.spread <= best + likeliest }?.0
  }

  /// Whether the numbers are a multiple of the errors at every pixel, which nothing that a network knows can be.
  static func areErrors(_ pixels: [Pixel]) -> Bool {
    guard let own = Fit(pixels, \.deviation), let errors = Fit(pixels, { _ in 1 }) else { return false }
    return own.spread < 0.05 && errors.spread > 0.5
  }

  private static func all(_ maps: DeviationMaps) -> [DeviationReading] {
    let name = maps.name
    let units = [
      DeviationReading(
        words: "metres",
        advice: maps.unit == .same
          ? "write them in the unit of the maps" : "give \(option: "prediction-deviation") \(name)="
      ) { $0.number },
      .init(
        words: "millimetres",
        advice: "divide them by 1000, or give \(option: "prediction-deviation") \(name):millimetres="
      ) { $0.number / 1000 },
      .init(words: "centimetres", advice: "divide them by 100") { $0.number / 100 },
      .init(
        words: "shares of the depth",
        advice: "multiply them by the depth, or give \(option: "prediction-deviation") \(name):relative="
      ) { $0.number * $0.size },
      .init(words: "percent of the depth", advice: "multiply them by a hundredth of the depth") {
        $0.number * $0.size / 100
      },
    ]
    return units + [
      .init(words: "variances", advice: "write their square roots") { $0.number.squareRoot() },
      .init(words: "inverse σ", advice: "write 1/x") { 1 / $0.number },
      .init(words: "inverse variances", advice: "write 1/√x") { 1 / $0.number.squareRoot() },
      .init(words: "logarithms of σ", advice: "write exp(x)") { exp($0.number) },
      .init(words: "logarithms of variances", advice: "write exp(x/2)") { exp($0.number / 2) },
    ]
  }

  /// How well the errors follow some σ.
  private struct Fit {
    let count: Int
    /// Median error over that of honest normal σ.
    let ratio: Double
    /// Half-width of the logarithms of error over σ: the smaller, the better σ follows the errors, whatever its scale.
    let spread: Double

    init?(_ pixels: [Pixel], _ deviation: (Pixel) -> Double) {
      let logs = pixels.map { log($0.error / deviation($0)) }.filter(\.isFinite)
      guard logs.count >= DeviationReading.fewest, let median = OrderStatistics.median(of: logs) else {
        return nil
      }
      count = logs.count
      ratio = exp(median) / 0.6745
      let mean = logs.reduce(0, +) / Double(count)
      spread = (logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)).squareRoot()
    }
  }
}
