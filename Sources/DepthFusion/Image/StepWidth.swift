import DepthCore
import Foundation

/// How wide a depth map draws its steps: pixels from a tenth to nine tenths of a step.
///
/// The narrowest steps say what the sensor's filter does; wider ones may be slopes of the scene. A step from one pixel to the next is 0.8 wide,
/// one behind a Gaussian filter of a deviation of one pixel 2.7.
struct StepWidth {
  /// Width of the narrowest tenth of the steps; nil where there are too few to say.
  let narrowest: Double?
  let count: Int
  /// Whether the steps are clearly wider than those of a map that is sharp.
  var isWide: Bool { narrowest.map { $0 >= Self.wide } ?? false }
  /// Narrowest steps from which on they are clearly wide, pixels.
  static let wide = 2.2
  static let fewest = 50
  /// Pixels in a row that are looked at, and how many of them at each end must be level.
  private static let (span, level) = (20, 4)
  /// Least step, and most that an end may vary by, in ln d.
  private static let (leastStep, levelRange): (Float, Float) = (0.15, 0.02)
  /// Share of the step by which it may go back: more are two steps.
  private static let leastRise: Float = -0.1

  init(of map: DepthMap) {
    let logs = map.values.map { $0 > 0 && $0.isFinite ? log($0) : .nan }
    var widths: [Double] = [], window = [Float](repeating: 0, count: Self.span)
    func measure(from start: Int, stride: Int) {
      for k in 0..<Self.span { window[k] = logs[start + k * stride] }
      if let width = Self.width(window) { widths.append(width) }
    }
    for row in 0..<map.height {
      for column in stride(from: 0, through: map.width - Self.span, by: 2) {
        measure(from: row * map.width + column, stride: 1)
      }
    }
    for column in 0..<map.width {
      for row in stride(from: 0, through: map.height - Self.span, by: 2) {
        measure(from: row * map.width + column, stride: map.width)
      }
    }
    count = widths.count
    narrowest = widths.count < Self.fewest ? nil : OrderStatistics.quantile(0.1, of: widths)
  }

  /// Width of the one step between two level ends; nil for anything else.
  private static func width(_ window: [Float]) -> Double? {
    func mean(_ part: ArraySlice<Float>) -> Float? {
      guard let low = part.min(), let high = part.max(), high - low <= levelRange else { return nil }
      return part.reduce(0, +) / Float(part.count)
    }
    // Most windows end here. A sum that is not a number has a missing pixel in it.
    let rough = abs(window[span - 1] - window[0])
    guard rough >= leastStep - 2 * levelRange, window.reduce(0, +).isFinite,
      let before = mean(window[..<level]), let after = mean(window[(span - level)...]),
      abs(after - before) >= leastStep
    else { return nil }
    let shares = window.map { ($0 - before) / (after - before) }
    guard zip(shares.dropFirst(), shares).allSatisfy({ $0 - $1 >= leastRise }) else { return nil }
    /// Where the largest share so far reaches a level.
    func place(of level: Float) -> Double {
      guard let index = shares.firstIndex(where: { $0 >= level }), index > 0 else { return 0 }
      let below = shares[..<index].max() ?? 0
      return Double(index - 1) + Double((level - below) / (shares[index] - below))
    }
    return place(of: 0.9) - place(of: 0.1)
  }
}
