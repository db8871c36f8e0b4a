import DepthCore

/// Weighted observations of a line y = α·x + β, in the fitting space.
public struct FitProblem: Sendable {
  public let space: Space
  /// Regressor: r, or ln r in the log form.
  public let x: [Double]
  /// Observation: d, 1/d or ln d.
  public let y: [Double]
  /// How much each observation counts, positive: one of weight 2 counts like two equal ones. Only ratios matter.
  /// nil for all 1.
  public let weights: [Double]?

  /// An observation of weight 0 is absent.
  /// - Precondition: all arrays have one length; weights are finite and not negative.
  public init(space: Space, x: [Double], y: [Double], weights: [Double]? = nil) {
    precondition(x.count == y.count && (weights?.count ?? x.count) == x.count, "one length")
    self.space = space
    guard let weights, !weights.allSatisfy({ $0 > 0 }) else {
      (self.x, self.y, self.weights) = (x, y, weights)
      return
    }
    precondition(weights.allSatisfy { $0 >= 0 && $0.isFinite }, "a weight is not negative")
    let present = weights.indices.filter { weights[$0] > 0 }
    self.x = present.map { x[$0] }
    self.y = present.map { y[$0] }
    self.weights = present.map { weights[$0] }
  }

  public var count: Int { x.count }

  /// y − (α·x + β), in the fitting space's unit.
  public func residuals(of line: Line) -> [Double] {
    let (scale, shift) = (line.scale, line.shift)
    return [Double](unsafeUninitializedCapacity: count) { buffer, initialized in
      x.withUnsafeBufferPointer { x in
        y.withUnsafeBufferPointer { y in
          for i in 0..<x.count { buffer[i] = y[i] - (scale * x[i] + shift) }
        }
      }
      initialized = count
    }
  }

  /// At most `limit` observations, evenly spread over the given order.
  public func thinned(to limit: Int) -> FitProblem {
    guard count > limit else { return self }
    let chosen = (0..<limit).map { $0 * count / limit }
    return FitProblem(
      space: space, x: chosen.map { x[$0] }, y: chosen.map { y[$0] },
      weights: weights.map { w in chosen.map { w[$0] } })
  }

  /// At most `limit` observations, evenly spaced in the order of (x, y, weight), and always in that order.
  ///
  /// A choice by value: neither the order of the observations nor a change of units changes it, and every
  /// part of the regressor's range is represented by its share.
  public func anchors(_ limit: Int) -> FitProblem {
    let order = OrderStatistics.ascendingOrder(of: x) {
      (y[$0], weights?[$0] ?? 1) < (y[$1], weights?[$1] ?? 1)
    }
    return subset(count <= limit ? order : (0..<limit).map { order[(2 * $0 + 1) * count / (2 * limit)] })
  }

  /// The observations whose residual from `line` is at most `limit`.
  func inliers(within limit: Double, of line: Line) -> FitProblem {
    guard weights == nil else {
      let residuals = residuals(of: line)
      return subset(residuals.indices.filter { abs(residuals[$0]) <= limit })
    }
    // Every observation is written, without a branch; the next one overwrites what does not belong.
    var heights: [Double] = []
    let places = [Double](unsafeUninitializedCapacity: count) { places, found in
      heights = [Double](unsafeUninitializedCapacity: count) { heights, kept in
        x.withUnsafeBufferPointer { x in
          y.withUnsafeBufferPointer { y in
            for i in 0..<x.count {
              (places[kept], heights[kept]) = (x[i], y[i])
              kept += abs(y[i] - (line.scale * x[i] + line.shift)) <= limit ? 1 : 0
            }
          }
        }
        found = kept
      }
    }
    return FitProblem(space: space, x: places, y: heights)
  }

  public func subset(_ indices: [Int]) -> FitProblem {
    FitProblem(
      space: space, x: indices.map { x[$0] }, y: indices.map { y[$0] },
      weights: weights.map { w in indices.map { w[$0] } })
  }
}

/// y = scale·x + shift
public struct Line: Sendable, Hashable, Codable {
  /// α
  public var scale: Double
  /// β
  public var shift: Double
  public init(scale: Double, shift: Double) { (self.scale, self.shift) = (scale, shift) }
}

/// How well a set of regressors determines a line.
public struct DesignDiagnostics: Sendable, Hashable {
  /// Numerical rank of the design matrix [x 1], weighted; 2 for a line.
  public var rank: Int
  /// 2-norm condition number of that matrix.
  public var condition: Double
  /// sd(x)/max|x|, dimensionless.
  public var spread: Double

  public init(rank: Int, condition: Double, spread: Double) {
    (self.rank, self.condition, self.spread) = (rank, condition, spread)
  }
}

/// A fitted line and how it came about.
public struct LineFit: Sendable, Hashable {
  public var line: Line
  /// Observations that the estimator counts as consistent: all of them for plain least squares, the consensus set
  /// that was fitted again for a sampled method.
  public var inliers: Int
  /// What the regressors can carry.
  public var design: DesignDiagnostics
  /// Iterations, or trials of a sampled method; 1 for a direct solution.
  public var iterations = 1
}
