import Foundation

extension Estimator {
  /// Random sample consensus with MSAC score and a final least-squares fit on the inliers.
  public static let ransac = Estimator(
    id: "ransac", title: "RANSAC (MSAC)", source: "Fischler & Bolles 1981; Torr & Zisserman 2000"
  ) { problem, options, generator throws(FitError) in
    try RANSACLine(options).fit(problem, using: &generator)
  }
}

/// Lines through two random pairs, scored by Σ w·min(e², T²); the best one's inliers are fitted again.
struct RANSACLine {
  let threshold: InlierThreshold
  let confidence: Double
  let maxTrials: Int
  /// Pairs of the least-absolute-deviations fit that sets the residual scale.
  static let anchorLimit = 4096

  init(_ options: FusionOptions) {
    threshold = options.inlierThreshold
    confidence = options.ransacConfidence
    maxTrials = options.maxTrials
  }

  func fit(_ problem: FitProblem, using generator: inout SplitMix64) throws(FitError) -> LineFit {
    // Where to look for the residuals' scale; a factorisation would add nothing.
    let moments = LeastSquaresLine.Moments(problem, weights: problem.weights)
    let start = LineFit(line: moments.line, inliers: problem.count, design: try moments.design())
    guard problem.count >= 2, start.design.spread >= LeastSquaresLine.minimumSpread else {
      throw .degenerate(start.design)
    }
    let scorer = ConsensusScorer(problem, threshold: threshold, start: start)
    var best: (line: Line, consensus: ConsensusScorer.Consensus)?
    var needed = maxTrials
    var trials = 0
    while trials < needed {
      trials += 1
      guard let line = minimalLine(problem, using: &generator) else { continue }
      let consensus = scorer.consensus(of: line)
      guard consensus.score < best?.consensus.score ?? .infinity else { continue }
      best = (line, consensus)
      needed = min(maxTrials, trialsNeeded(inlierShare: Double(consensus.inliers) / Double(problem.count)))
    }
    guard let best else { throw .degenerate(start.design) }
    let inliers = scorer.inliers(of: best.line)
    guard inliers.count >= 2 else { throw .degenerate(start.design) }
    var fit = try LeastSquaresLine.solve(problem.subset(inliers))
    fit.inliers = inliers.count
    fit.iterations = trials
    return fit
  }

  /// Trials after which a sample of two inliers was drawn with the wanted probability:
  /// ln(1−p)/ln(1−w²), at least 1.
  func trialsNeeded(inlierShare: Double) -> Int {
    let outlierFree = inlierShare * inlierShare
    guard outlierFree < 1 else { return 1 }
    guard outlierFree > 0 else { return maxTrials }
    let trials = (Foundation.log(1 - confidence) / Foundation.log1p(-outlierFree)).rounded(.up)
    return trials < Double(maxTrials) ? max(1, Int(trials)) : maxTrials
  }

  /// The line through two pairs drawn at random; nil where their regressors coincide.
  private func minimalLine(_ problem: FitProblem, using generator: inout SplitMix64) -> Line? {
    let i = Int.random(in: 0..<problem.count, using: &generator)
    var j = Int.random(in: 0..<(problem.count - 1), using: &generator)
    if j >= i { j += 1 }
    let run = problem.x[j] - problem.x[i]
    guard run != 0 else { return nil }
    let scale = (problem.y[j] - problem.y[i]) / run
    guard scale.isFinite else { return nil }
    return Line(scale: scale, shift: problem.y[i] - scale * problem.x[i])
  }
}
