/// Every pair that a fit of a frame could use, whatever the limits on confidence and depth: what a search over those
/// limits begins with.
public struct CandidatePairs: Sendable {
  /// Form of the fit.
  public let space: Space
  private(set) var x: [Double] = [], y: [Double] = []
  /// Weights where the estimator or the options want them; a pair of weight 0 is no pair.
  private(set) var weights: [Double]?
  /// LiDAR depth, metres, and confidence of every pair; 2 where the frame has no confidence.
  private(set) var depth: [Float] = [], confidence: [UInt8] = []

  /// The pairs of all positive LiDAR depths; nil where the frame has no relative map.
  ///
  /// - Parameters:
  ///   - frame: With the sensor's own map; the options' correction is applied to it here.
  ///   - options: Position mapping, weights and calibration; limits are not looked at.
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

  /// Number of pairs.
  public var count: Int { x.count }

  /// At most `limit` of the pairs, one at random from each of as many equal stretches of the image's rows.
  public func thinned(to limit: Int, using generator: inout SplitMix64) -> CandidatePairs {
    guard count > limit else { return self }
    let chosen = Stretches(count: count, parts: limit).draw(using: &generator)
    var result = self
    result.x = chosen.map { x[$0] }
    result.y = chosen.map { y[$0] }
    result.weights = weights.map { weights in chosen.map { weights[$0] } }
    result.depth = chosen.map { depth[$0] }
    result.confidence = chosen.map { confidence[$0] }
    return result
  }

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

/// A sequence cut into stretches of equal length, give or take one, for a sample that is spread evenly.
public struct Stretches: Sendable {
  let count: Int, parts: Int

  /// - Precondition: 0 < parts ≤ count.
  public init(count: Int, parts: Int) {
    precondition(parts > 0 && parts <= count, "every stretch has an element")
    (self.count, self.parts) = (count, parts)
  }

  /// One position from each stretch, ascending.
  public func draw(using generator: inout SplitMix64) -> [Int] {
    (0..<parts).map { part in
      let (start, end) = (part * count / parts, (part + 1) * count / parts)
      return start + Int(generator.next().multipliedFullWidth(by: UInt64(end - start)).high)
    }
  }
}
