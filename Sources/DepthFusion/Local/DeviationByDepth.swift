import CFathomKernels
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

  /// The deviations at some depths; that of the first point for what is not a depth.
  func deviations(at depths: [Float]) -> [Float] {
    [Float](unsafeUninitializedCapacity: depths.count) { result, count in
      count = depths.count
      guard let result = result.baseAddress else { return }
      guard logDepths.count > 1 else { return result.initialize(repeating: deviations[0], count: count) }
      withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { positions in
        log_values(depths, depths.count, positions.baseAddress)
        between_knots(positions.baseAddress, depths.count, logDepths, deviations, logDepths.count, result)
      }
    }
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
