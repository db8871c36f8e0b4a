public import DepthCore

/// Every pair that a fit of a frame could use, whatever the limits on confidence and depth: what a search over those
/// limits begins with.
public struct CandidatePairs: Sendable {
  public let space: Space
  private(set) var x: [Double] = [], y: [Double] = []
  /// Weights where the estimator or the options want them; a pair of weight 0 is not a pair.
  private(set) var weights: [Double]?
  /// LiDAR depth, metres, and confidence of every pair; 2 where the frame has no confidence.
  private(set) var depth: [Float] = [], confidence: [UInt8] = []

  /// The pairs of all positive LiDAR depths; nil where the frame has no relative map.
  /// - Parameter frame: With the sensor's own map; the options' correction is applied to it here.
  /// - Parameter options: Position mapping, weights and calibration; limits are not looked at.
  public init?(_ frame: DepthFrame, estimator: Estimator, space: Space, options: FusionOptions) {
    guard let relative = frame.relative else { return nil }
    var frame = frame
    if let correction = options.correction { frame.lidar = correction(frame.lidar) }
    self.space = space
    let weighing = estimator.weighing(under: options)
    let weight = PairSelection.weight(weighing, space, options, hasConfidence: frame.confidence != nil)
    if weight != nil { weights = [] }
    PairSelection.forEachPair(frame, relative, options) { r, d, level in
      guard d > 0, d.isFinite else { return }
      if let weight {
        let value = weight(Int(level), Double(d))
        guard value > 0 else { return }
        weights?.append(value)
      }
      x.append(space.regressor(relative: r))
      y.append(space.target(depth: Double(d)))
      depth.append(d)
      confidence.append(level)
    }
  }

  public var count: Int { x.count }

  /// The pairs that limits let in; compared as in every fit, in the sensor's Float32.
  public func problem(minConfidence: UInt8, minDepth: Double, maxDepth: Double) -> FitProblem {
    let (low, high) = (Float(minDepth), Float(maxDepth))
    let chosen = depth.indices.filter {
      confidence[$0] >= minConfidence && depth[$0] > low && depth[$0] < high
    }
    return FitProblem(
      space: space, x: chosen.map { x[$0] }, y: chosen.map { y[$0] },
      weights: weights.map { weights in chosen.map { weights[$0] } })
  }
}
