import DepthCore
import Foundation
import FathomTestSupport
import Testing

@testable import DepthFusion

/// y = 2x + 0.5 with noise of sd 0.01 and a share of outliers far above.
private func scene(outliers: Double, seed: UInt64, count: Int = 4000) -> FitProblem {
  var generator = SplitMix64(seed: seed)
  let x = (0..<count).map { _ in Double.random(in: 0.2..<1, using: &generator) }
  let y = x.map { x in
    if Double.random(in: 0..<1, using: &generator) < outliers {
      return Double.random(in: 3..<6, using: &generator)
    }
    // Sum of twelve uniforms: normal enough, mean 0, variance 1.
    let normal = (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
    return 2 * x + 0.5 + 0.01 * normal
  }
  return FitProblem(space: .depth, x: x, y: y)
}

@Suite("RANSAC")
struct RANSACTests {
  struct Case: Sendable { let outliers: Double, threshold: InlierThreshold, tolerance: Double }

  // Least squares on clean data would have a standard deviation of 0.01/(0.23·√4000) = 7e-4. Two or three trials
  // find a line of a slope error of some 0.03, whose asymmetric inliers leave a few times that after the refit.
  @Test(
    "recovers the line",
    arguments: [
      Case(outliers: 0, threshold: .residualMAD(2.5), tolerance: 8e-3),
      Case(outliers: 0.2, threshold: .residualMAD(2.5), tolerance: 8e-3),
      Case(outliers: 0.4, threshold: .residualMAD(2.5), tolerance: 8e-3),
      Case(outliers: 0.4, threshold: .metres(0.03), tolerance: 8e-3),
    ], [UInt64(1), 7, 42, 99])
  func recovers(_ c: Case, seed: UInt64) throws {
    var options = FusionOptions()
    options.inlierThreshold = c.threshold
    var generator = SplitMix64(seed: seed)
    let fit = try RANSACLine(options).fit(scene(outliers: c.outliers, seed: seed), using: &generator)
    #expect(abs(fit.line.scale - 2) < c.tolerance)
    #expect(abs(fit.line.shift - 0.5) < c.tolerance)
    #expect(Double(fit.inliers) < 4000 * (1 - c.outliers) * 1.05)
    #expect(Double(fit.inliers) > 4000 * (1 - c.outliers) * 0.85)
  }

  @Test func sameSeedSameFit() throws {
    let problem = scene(outliers: 0.3, seed: 5)
    var (a, b) = (SplitMix64(seed: 11), SplitMix64(seed: 11))
    let ransac = RANSACLine(FusionOptions())
    #expect(try ransac.fit(problem, using: &a) == ransac.fit(problem, using: &b))
  }

  @Test("N = ln(1−p)/ln(1−w²)")
  func stoppingRule() {
    let ransac = RANSACLine(FusionOptions())
    #expect(ransac.trialsNeeded(inlierShare: 1) == 1)
    #expect(ransac.trialsNeeded(inlierShare: 0.5) == 17)  // ln 0.01/ln 0.75 = 16.01
    #expect(ransac.trialsNeeded(inlierShare: 0.8) == 5)  // 4.51
    #expect(ransac.trialsNeeded(inlierShare: 0) == 1000)
  }

  @Test("a target-MAD threshold lets nearly everything in")
  func targetMAD() throws {
    var options = FusionOptions()
    var generator = SplitMix64(seed: 1)
    let problem = scene(outliers: 0, seed: 2)
    options.inlierThreshold = .targetMAD
    let loose = try RANSACLine(options).fit(problem, using: &generator)
    #expect(loose.inliers == problem.count)
  }

  @Test("weights scale score and refit; the vectorised and the general score agree")
  func scores() throws {
    let plain = scene(outliers: 0.2, seed: 9, count: 1003)
    let weighted = FitProblem(
      space: .depth, x: plain.x, y: plain.y, weights: [Double](repeating: 0.5, count: 1003))
    let line = Line(scale: 1.9, shift: 0.53)
    let a = try #require(try ConsensusScorer(plain, threshold: .metres(0.05)).consensus(of: line))
    let b = try #require(try ConsensusScorer(weighted, threshold: .metres(0.05)).consensus(of: line))
    #expect(a.inliers == b.inliers)
    #expect(abs(a.score - 2 * b.score) < 1e-12 * a.score)
    #expect(
      try a.inliers == ConsensusScorer(plain, threshold: .metres(0.05)).inliers(of: line).count)
  }

  @Test(
    "a score is complete or not below the bound",
    arguments: [InlierThreshold.metres(0.05), .perMetre(0.02), .residualMAD(2.5)], [false, true])
  func bounded(_ threshold: InlierThreshold, isWeighted: Bool) throws {
    let plain = scene(outliers: 0.3, seed: 4, count: 9001)
    let problem = FitProblem(
      space: .depth, x: plain.x, y: plain.y,
      weights: isWeighted ? (0..<9001).map { Double(1 + $0 % 3) } : nil)
    let scorer = try ConsensusScorer(problem, threshold: threshold)
    for line in [Line(scale: 2, shift: 0.5), Line(scale: 1.9, shift: 0.57), Line(scale: -1, shift: 3)] {
      let whole = try #require(scorer.consensus(of: line))
      #expect(scorer.consensus(of: line, below: whole.score) == nil)
      #expect(scorer.consensus(of: line, below: whole.score / 3) == nil)
      let above = try #require(scorer.consensus(of: line, below: whole.score.nextUp))
      #expect(above.score == whole.score && above.inliers == whole.inliers)
      #expect(scorer.inliers(of: line).count == whole.inliers)
    }
  }

  @Test("a threshold in metres means predicted depth, also in disparity")
  func metresInDisparity() throws {
    // 1/d = x: at d = 4 m, an error of 0.1 m in depth is 0.006 1/m in disparity.
    let x = [0.25, 0.5, 1.0], y = [1 / 4.1, 1 / 2.1, 1 / 1.1]
    let problem = FitProblem(space: .disparity, x: x, y: y)
    let line = Line(scale: 1, shift: 0)
    #expect(
      try ConsensusScorer(problem, threshold: .metres(0.1001)).inliers(of: line).x == x)
    #expect(try ConsensusScorer(problem, threshold: .metres(0.0999)).inliers(of: line).x == [])
    #expect(try ConsensusScorer(problem, threshold: .perMetre(0.01)).inliers(of: line).x == [0.25])
  }

  @Test(
    "thresholds carry their unit",
    arguments: [
      ("0.05m", InlierThreshold.metres(0.05)), ("0.02/m", .perMetre(0.02)), ("2.5mad", .residualMAD(2.5)),
      ("target-mad", .targetMAD),
    ])
  func parsing(_ text: String, _ threshold: InlierThreshold) {
    #expect(InlierThreshold(text) == threshold)
    #expect(InlierThreshold(threshold.description) == threshold)
  }

  @Test(arguments: ["", "0.05", "m", "-1m", "0m", "nanm", "1 mad", "mad", "infm"])
  func notAThreshold(_ text: String) { #expect(InlierThreshold(text) == nil) }
}
