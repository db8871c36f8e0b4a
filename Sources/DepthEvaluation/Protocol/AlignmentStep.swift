import DepthFusion

/// What an alignment does to maps of one unit: which numbers enter the fit, as what, and what they become.
struct AlignmentStep: Sendable, Hashable {
  let space: Space  // Form of the fit.
  let hasShift: Bool, isMedian: Bool, loss: TruthAlignment.Loss, unit: Prediction.Unit
  /// Whether numbers of 0 and less are numbers like others: where a map is fitted with a shift in its own space.
  let takesAll: Bool
  private let fitsPositive: Bool  // Whether only disparities above 0 enter the fit.
  private let limitsInput: Bool  // Whether disparities are limited before the fit.
  private let leastDisparity: Double?
  /// Whether the fitted map is limited to the truth's range, whatever the protocol's clip.
  let isLimited: Bool

  init(_ alignment: TruthAlignment, _ fit: TruthAlignment.Fit, _ unit: Prediction.Unit) {
    if case .line(let space, let shift) = fit {
      (self.space, hasShift, isMedian) = (space, shift, false)
    } else {
      (space, hasShift, isMedian) = (.depth, false, true)
    }
    (loss, self.unit) = (alignment.loss, unit)
    let isOwn = (space == .depth && unit == .depth) || (space == .disparity && unit == .disparity)
    takesAll = isOwn && hasShift
    fitsPositive = alignment.input == .positive
    limitsInput = alignment.input == .limited
    leastDisparity = space == .disparity ? alignment.leastDisparity : nil
    isLimited = alignment.fit == .byKind
  }

  /// The regressor of a map's number; NaN where the map has none there.
  func regressor(_ value: Double) -> Double {
    guard value.isFinite, takesAll || value > 0 else { return .nan }
    let x =
      switch (space, unit) {
      case (.depth, .disparity), (.disparity, .metres), (.disparity, .depth): 1 / value
      case (.depth, _), (.disparity, _): value
      case (.log, .disparity): -Space.log.target(depth: value)
      case (.log, _): Space.log.target(depth: value)
      }
    guard limitsInput, let leastDisparity else { return x }
    return max(x, leastDisparity)
  }

  /// Whether a regressor enters the fit.
  func isFitted(_ x: Double) -> Bool { x.isFinite && (!fitsPositive || space != .disparity || x > 0) }

  /// Depth of a regressor by a line, metres: infinite for a fitted disparity of 0 or less, not above 0 for such a depth.
  func depth(_ x: Double, by line: Line) -> Double {
    let fitted = line.scale * x + line.shift
    guard let leastDisparity else { return space.depth(fitted: fitted) }
    return space.depth(fitted: max(fitted, leastDisparity))
  }

  /// |∂depth/∂value| of a map's number, metres per unit of the map: what its standard deviation is multiplied by.
  func slope(_ value: Double, by line: Line) -> Double {
    let depth = depth(regressor(value), by: line)
    let outer =
      switch space {
      case .depth: 1.0
      case .disparity: depth * depth
      case .log: depth
      }
    let inner =
      switch (space, unit) {
      case (.depth, .disparity), (.disparity, .metres), (.disparity, .depth): 1 / (value * value)
      case (.depth, _), (.disparity, _): 1.0
      case (.log, _): 1 / value
      }
    return abs(outer * line.scale * inner)
  }
}

/// A line that a map was fitted by.
struct AlignmentFit: Sendable, Hashable, Codable {
  let line: Line, space: Space
  let pairs: Int  // Pixels that entered the fit.
}
