/// Why the values of frames differ: because scenes differ, and because frames of a scene do.
///
/// The mean of a scene of n frames has the variance σ² + L/n: σ between scenes, L the variance that frames add, their dependence
/// included. L is estimated by the means of batches of adjacent frames, ⌊√n⌋ in each, and σ² is what the variance of the scenes' means
/// has beyond it, or 0. With as many independent frames in every scene it is the estimate of the nested analysis of variance.
/// Frames that depend on each other over more than a batch are counted as more than they are worth: their part is then in σ.
/// - SeeAlso: Burdick & Graybill 1992, "Confidence intervals on variance components", chapter 3 (unweighted means); Flegal & Jones 2010,
///   "Batch means and spectral variance estimators in Markov chain Monte Carlo".
public struct VarianceComponents: Sendable, Equatable {
  public let scenes: Int, frames: Int
  /// Mean over the scenes' means.
  public let mean: Double
  /// Standard deviation of the scenes' means.
  public let ofSceneMeans: Double
  /// σ, in the unit of the values.
  public let betweenScenes: Double
  /// Standard deviation of the frames of a scene; nil where no scene has two frames.
  public let withinScenes: Double?
  /// √L: what one frame adds, counted as if frames were independent; nil where no scene has two frames.
  public let perFrame: Double?
  /// Harmonic mean of the scenes' numbers of frames.
  public let framesPerScene: Double

  /// - Parameter values: Of each scene its frames' values, in order.
  /// - Returns: nil for fewer than two scenes with values.
  public init?(_ values: [[Double]]) {
    let values = values.filter { !$0.isEmpty }
    guard values.count >= 2 else { return nil }
    (scenes, frames) = (values.count, values.reduce(0) { $0 + $1.count })
    let means = values.map(Spread.init)
    let spread = Spread(means.map(\.mean))
    let single = Spread.pooled(means)
    let batches = values.map { values -> (spread: Spread, length: Int) in
      let length = Int(Double(values.count).squareRoot())
      let starts = stride(from: 0, through: values.count - length, by: length)
      return (Spread(starts.map { Spread(Array(values[$0..<$0 + length])).mean }), length)
    }
    let long = Spread.pooled(
      batches.map { batch in
        var spread = batch.spread
        spread.squares *= Double(batch.length)
        return spread
      })
    framesPerScene = Double(scenes) / values.reduce(0) { $0 + 1 / Double($1.count) }
    mean = spread.mean
    ofSceneMeans = (spread.variance ?? 0).squareRoot()
    betweenScenes = max(0, (spread.variance ?? 0) - (long ?? 0) / framesPerScene).squareRoot()
    (withinScenes, perFrame) = (single?.squareRoot(), long?.squareRoot())
  }

  /// Components that were given by hand, with independent frames.
  public init(betweenScenes: Double, withinScenes: Double, framesPerScene: Int) {
    (scenes, frames, mean) = (0, 0, .nan)
    (self.betweenScenes, self.withinScenes, perFrame) = (betweenScenes, withinScenes, withinScenes)
    self.framesPerScene = Double(framesPerScene)
    ofSceneMeans =
      (betweenScenes * betweenScenes + withinScenes * withinScenes / Double(framesPerScene)).squareRoot()
  }

  /// So many independent frames would tell as much of a scene as its ``framesPerScene``; at most those.
  public var independentFrames: Double? {
    guard let withinScenes, let perFrame else { return nil }
    let ratio = perFrame > 0 ? withinScenes * withinScenes / (perFrame * perFrame) : 1
    return framesPerScene * min(1, ratio)
  }

  /// Standard deviation of the mean of a scene.
  /// - Parameter times: How many times as many frames it has, with the same time between them; infinite for no end of them.
  public func deviation(framesTimes times: Double) -> Double {
    guard perFrame != nil else { return ofSceneMeans }
    // What frames add now. It is less than L/n where the scenes' means differ by less than that.
    let frames = ofSceneMeans * ofSceneMeans - betweenScenes * betweenScenes
    return (betweenScenes * betweenScenes + frames / times).squareRoot()
  }

  /// Half of Student's 95 % interval of a mean over so many scenes.
  public static func halfWidth(scenes: Int, deviation: Double) -> Double {
    StudentDistribution.criticalValue(2 * ConfidenceInterval.tail, freedom: Double(scenes - 1)) * deviation
      / Double(scenes).squareRoot()
  }

  /// The 95 % interval of a standard deviation that was estimated from so many normal scenes, as multiples of the estimate.
  public static func deviationInterval(scenes: Int) -> ClosedRange<Double> {
    let freedom = Double(scenes - 1)
    func factor(_ tail: Double) -> Double {
      (freedom / TailProbabilities.chiSquaredQuantile(tail, freedom: freedom)).squareRoot()
    }
    return factor(ConfidenceInterval.tail)...factor(1 - ConfidenceInterval.tail)
  }
}

/// Mean and squares about it.
private struct Spread {
  let count: Int, mean: Double
  var squares: Double

  init(_ values: [Double]) {
    let mean = values.reduce(0, +) / Double(values.count)
    (count, self.mean) = (values.count, mean)
    squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  var variance: Double? { count > 1 ? squares / Double(count - 1) : nil }  // nil for one value.

  /// The variance about the mean of each; nil where all are of one value.
  static func pooled(_ spreads: [Spread]) -> Double? {
    let freedom = spreads.reduce(0) { $0 + $1.count - 1 }
    return freedom > 0 ? spreads.reduce(0) { $0 + $1.squares } / Double(freedom) : nil
  }
}
