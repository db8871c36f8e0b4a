import Foundation

/// A standard deviation that changes with depth: known at a few depths, linear in ln d between them, and beyond them as at the last.
struct DeviationByDepth: Sendable {
  /// A deviation and the depth that it was found at, metres.
  struct Point: Sendable {
    let depth: Double
    var deviation: Double
  }

  /// Ascending; at least one.
  let points: [Point]
  /// ln of the depths.
  private let logDepths: [Float]
  private let deviations: [Float]

  /// - Precondition: There is a point.
  init(_ points: [Point]) {
    precondition(!points.isEmpty, "a law has a point")
    self.points = points
    logDepths = points.map { Float(Foundation.log($0.depth)) }
    deviations = points.map { Float($0.deviation) }
  }

  /// That of the first point for what is no depth.
  @inline(__always)
  func callAsFunction(depth: Float) -> Float {
    let last = logDepths.count - 1
    guard last > 0 else { return deviations[0] }
    let position = Foundation.log(depth)
    var index = 0
    while index < last, position >= logDepths[index + 1] { index += 1 }
    guard position > logDepths[0], index < last else { return deviations[index] }
    let share = (position - logDepths[index]) / (logDepths[index + 1] - logDepths[index])
    return deviations[index] + (deviations[index + 1] - deviations[index]) * share
  }

  /// The same at the same depths with other deviations.
  func map(_ change: (Double) -> Double) -> DeviationByDepth {
    DeviationByDepth(points.map { Point(depth: $0.depth, deviation: change($0.deviation)) })
  }

  /// "0.31 % at 1.2 m, 0.44 % at 2.4 m", or the one deviation where it is the same at every depth.
  var words: String {
    if points.allSatisfy({ $0.deviation == points[0].deviation }) { return percent(points[0].deviation) }
    return points.map { "\(percent($0.deviation)) at \(($0.depth * 10).rounded() / 10) m" }.joined(
      separator: ", ")
  }
}
