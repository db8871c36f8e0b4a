import Foundation

/// A standard deviation that changes with depth: known at a few depths, linear in ln d between them, and beyond them as at the last.
struct DeviationByDepth: Sendable {
  /// A deviation and the depth that it was found at, metres.
  struct Point: Sendable {
    let depth: Double
    var deviation: Double
  }

  /// Ascending.
  let points: [Point]
  private let logDepths: [Double]

  init(_ points: [Point]) {
    self.points = points
    logDepths = points.map { Foundation.log($0.depth) }
  }

  /// nil where there is no point.
  func callAsFunction(depth: Float) -> Double? {
    guard let first = logDepths.first, let last = logDepths.last else { return nil }
    let position = Double(Foundation.log(depth))
    if !(position > first) { return points[0].deviation }
    if position >= last { return points[points.count - 1].deviation }
    let upper = logDepths.firstIndex { $0 > position } ?? logDepths.count - 1
    let run = logDepths[upper] - logDepths[upper - 1]
    let share = run > 0 ? (position - logDepths[upper - 1]) / run : 1
    return points[upper - 1].deviation + (points[upper].deviation - points[upper - 1].deviation) * share
  }

  /// The same at the same depths with other deviations.
  func map(_ change: (Double) -> Double) -> DeviationByDepth {
    DeviationByDepth(points.map { Point(depth: $0.depth, deviation: change($0.deviation)) })
  }

  /// "0.31 % at 1.2 m, 0.44 % at 2.4 m", or the one deviation where it is the same at every depth.
  var words: String {
    guard let first = points.first else { return "unknown" }
    if points.allSatisfy({ $0.deviation == first.deviation }) { return percent(first.deviation) }
    return points.map { "\(percent($0.deviation)) at \(($0.depth * 10).rounded() / 10) m" }.joined(
      separator: ", ")
  }
}
