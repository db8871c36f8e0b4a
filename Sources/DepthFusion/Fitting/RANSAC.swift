import DepthCore
import Foundation

extension Estimator {
  /// Random sample consensus with MSAC score and a final least-squares fit on the inliers.
  public static let ransac = Estimator(
    id: "ransac", title: "RANSAC (MSAC)", source: "Fischler & Bolles 1981; Torr & Zisserman 2000",
    usesInlierThreshold: true
  ) { problem, options, generator throws(FitError) in
    try RANSACLine(options).fit(problem, using: &generator)
  }

  /// RANSAC whose best line so far is refitted on its inliers, under a threshold that shrinks to the real one.
  public static let loRANSAC = Estimator(
    id: "lo-ransac", title: "locally optimised RANSAC",
    source: "Chum, Matas & Kittler 2003: iterated refits on the inliers of each best line, MSAC score",
    usesInlierThreshold: true
  ) { problem, options, generator throws(FitError) in
    try RANSACLine(options, isLocallyOptimised: true).fit(problem, using: &generator)
  }
}

/// Lines through two random pairs, scored by Σ w·min(e², T²); the best one's inliers are fitted again.
struct RANSACLine {
  let threshold: InlierThreshold, confidence: Double, maxTrials: Int
  /// Whether each best line is improved by refits before the search goes on.
  let isLocallyOptimised: Bool
  /// Thresholds of those refits, in the real one.
  static let shrinkingFactors = [3, 2.5, 2, 1.5, 1]

  private struct Candidate {
    var line: Line, consensus: ConsensusScorer.Consensus
  }

  init(_ options: FusionOptions, isLocallyOptimised: Bool = false) {
    (self.isLocallyOptimised, threshold) = (isLocallyOptimised, options.inlierThreshold)
    (confidence, maxTrials) = (options.ransacConfidence, options.maxTrials)
  }

  func fit(_ problem: FitProblem, using generator: inout SplitMix64) throws(FitError) -> LineFit {
    let design = try problem.design(), scorer = try ConsensusScorer(problem, threshold: threshold)
    var best: Candidate?
    var needed = maxTrials, trials = 0
    while trials < needed {
      trials += 1
      guard let line = MinimalLines.random(problem, using: &generator) else { continue }
      guard let consensus = scorer.consensus(of: line, below: best?.consensus.score ?? .infinity)
      else { continue }
      let found = Candidate(line: line, consensus: consensus)
      let improved = isLocallyOptimised ? optimised(found, problem, scorer) : found
      best = improved
      let share = Double(improved.consensus.inliers) / Double(problem.count)
      needed = min(maxTrials, trialsNeeded(inlierShare: share))
    }
    guard let best else { throw .degenerate(design) }
    let inliers = scorer.inliers(of: best.line)
    guard inliers.count >= 2 else { throw .degenerate(design) }
    var fit = try LeastSquaresLine.solve(inliers)
    (fit.inliers, fit.iterations) = (inliers.count, trials)
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

  /// The best of the line and its refits: least squares on the pairs within a threshold that shrinks from three
  /// times the real one, then at the real one until the score no longer falls.
  private func optimised(_ start: Candidate, _ problem: FitProblem, _ scorer: ConsensusScorer) -> Candidate {
    var best = start, line = start.line, factors = Self.shrinkingFactors
    while !factors.isEmpty {
      let factor = factors.removeFirst()
      let moments = LeastSquaresLine.Moments(problem, weights: scorer.weights(of: line, within: factor))
      line = moments.line
      guard line.scale.isFinite, line.shift.isFinite else { break }
      guard let consensus = scorer.consensus(of: line, below: best.consensus.score * (1 - 1e-9))
      else { continue }
      best = Candidate(line: line, consensus: consensus)
      if factors.isEmpty { factors = [1] }
    }
    return best
  }
}
