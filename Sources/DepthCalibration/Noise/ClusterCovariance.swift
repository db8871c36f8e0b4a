internal import FathomStatistics

/// Covariance of fitted parameters from how the scenes pull them: the sandwich estimator in its jackknife form (CV3).
///
/// Leaving a scene out moves the estimate by one Newton step with the information of the others; V = (G−1)/G·Σ δδᵀ. Unlike
/// the plain sandwich it does not shrink where a few scenes dominate.
/// - SeeAlso: Liang & Zeger 1986; Bell & McCaffrey 2002; MacKinnon, Nørgaard Nielsen & Webb 2023, Journal of Applied Econometrics 38.
struct ClusterCovariance: Sendable {
  /// The estimate after one step, without bounds for the parameters that are free.
  let centre: [Double]
  /// V, row by row; 0 for parameters that were held.
  let covariance: [Double]
  /// Scenes, or blocks of frames, behind it.
  let clusters: Int

  /// - Parameter holdsBounds: Whether A or B stays where it is 0. Else the centre is where one step leads without that
  ///   bound, so that its interval can be cut off there.
  /// - Returns: nil for fewer than two clusters, or where leaving one out leaves something undetermined.
  init?(_ clusters: [[ErrorSample]], at parameters: NoiseParameters, holdsBounds: Bool) {
    let parts = clusters.filter { !$0.isEmpty }.map { NoiseLikelihood($0, parameters) }
    guard parts.count >= 2 else { return nil }
    var total = parts[0]
    for part in parts.dropFirst() { total += part }
    // Without outliers their share has no curvature to speak of: it stays.
    let free = (0..<NoiseParameters.count).filter { index in
      switch index {
      case 2, 3: !holdsBounds || parameters.vector[index] > 0
      case 4: parameters.outlierShare > 1e-6
      default: true
      }
    }
    guard let step = total.step(free) else { return nil }
    let count = NoiseParameters.count
    var sums = [Double](repeating: 0, count: count * count)
    for part in parts {
      var others = total
      others -= part
      guard let moved = others.step(free) else { return nil }
      let change = moved.indices.map { moved[$0] - step[$0] }
      for i in 0..<count { for j in 0..<count { sums[i * count + j] += change[i] * change[j] } }
    }
    let factor = Double(parts.count - 1) / Double(parts.count)
    covariance = sums.map { $0 * factor }
    centre = zip(parameters.vector, step).map { $0 + $1 }
    self.clusters = parts.count
    guard covariance.allSatisfy(\.isFinite) else { return nil }
  }

  /// 95 % interval of a linear combination of the parameters, by Student's t with one degree of freedom less than clusters.
  func interval(_ weights: [Double]) -> Interval {
    var (value, variance) = (0.0, 0.0)
    for i in weights.indices {
      value += weights[i] * centre[i]
      for j in weights.indices {
        variance += weights[i] * weights[j] * covariance[i * NoiseParameters.count + j]
      }
    }
    let reach =
      StudentDistribution.criticalValue(0.05, freedom: Double(clusters - 1)) * max(0, variance).squareRoot()
    return Interval(low: value - reach, high: value + reach)
  }
}

/// A 95 % interval.
public struct Interval: Sendable, Hashable, Codable {
  public var low: Double, high: Double
  /// Whether a value lies inside.
  public func contains(_ value: Double) -> Bool { low <= value && value <= high }
  /// Of the root: negative variances are none.
  var root: Interval { Interval(low: max(0, low).squareRoot(), high: max(0, high).squareRoot()) }
}
