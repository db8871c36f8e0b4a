import DepthCore
import FathomTestSupport
import Testing

@testable import DepthFusion

private func problem(_ c: GoldenAnswers.Line, weighted: Bool = false) -> FitProblem {
  guard weighted else { return FitProblem(space: .depth, x: c.x, y: c.y) }
  // Weight 0 means absent.
  let used = c.weights.indices.filter { c.weights[$0] > 0 }
  return FitProblem(
    space: .depth, x: used.map { c.x[$0] }, y: used.map { c.y[$0] }, weights: used.map { c.weights[$0] })
}

/// Slope and level at mean(x), which is what data determine; the shift may lie far outside them.
private func agree(_ line: Line, _ slope: Double, _ intercept: Double, _ x: [Double], _ tolerance: Double)
  -> Bool
{
  let mean = x.reduce(0, +) / Double(x.count)
  let level = slope * mean + intercept
  return abs(line.scale - slope) <= tolerance * abs(slope)
    && abs(line.scale * mean + line.shift - level) <= tolerance * abs(level)
}

@Suite("Lines against numpy and scipy")
struct LineFitTests {
  @Test(arguments: GoldenAnswers.shared.lines)
  func leastSquares(_ c: GoldenAnswers.Line) throws {
    let fit = try LeastSquaresLine.solve(problem(c))
    // numpy's own error at the offset of 1000 is 1e-9.
    #expect(agree(fit.line, c.ols_slope, c.ols_intercept, c.x, 1e-8))
    #expect(fit.design.rank == c.rank)
    #expect(abs(fit.design.condition - c.condition) <= 1e-6 * c.condition)
    #expect(abs(fit.design.spread - c.spread) <= 1e-9 * c.spread)
    #expect(fit.inliers == c.x.count)
    let closed = LeastSquaresLine.Moments(problem(c), weights: nil).line
    #expect(agree(closed, fit.line.scale, fit.line.shift, c.x, 1e-11))
  }

  @Test(arguments: GoldenAnswers.shared.lines)
  func weightedLeastSquares(_ c: GoldenAnswers.Line) throws {
    let fit = try LeastSquaresLine.solve(problem(c, weighted: true))
    #expect(agree(fit.line, c.wls_slope, c.wls_intercept, c.x, 1e-8))
  }

  @Test(arguments: GoldenAnswers.shared.lines)
  func huber(_ c: GoldenAnswers.Line) throws {
    let fit = try IteratedReweighting.huber(problem(c), tuning: 1.345)
    #expect(agree(fit.line, c.huber_slope, c.huber_intercept, c.x, 1e-7))
    let residuals = problem(c).residuals(of: fit.line)
    let sigma = 1.4826 * (OrderStatistics.medianAbsolute(residuals) ?? .nan)
    #expect(abs(sigma - c.huber_sigma) <= 1e-6 * c.huber_sigma + 1e-12)
  }

  @Test(arguments: GoldenAnswers.shared.lines)
  func leastAbsoluteDeviations(_ c: GoldenAnswers.Line) {
    let line = LeastAbsoluteDeviations.line(
      problem(c), start: c.ols_slope + 1, step: 0.1, relativeTolerance: 1e-15)
    let objective = problem(c).residuals(of: line).reduce(0) { $0 + abs($1) }
    #expect(objective <= c.lad_objective * (1 + 1e-9) + 1e-10)
    if let slope = c.lad_slope, let intercept = c.lad_intercept {
      #expect(agree(line, slope, intercept, c.x, 1e-6))
    }
  }

  @Test("centring keeps 14 digits where raw sums keep five")
  func largeOffset() throws {
    var generator = SplitMix64(seed: 3)
    let x = (0..<2000).map { _ in 1000 + Double.random(in: 0..<0.1, using: &generator) }
    let fit = try LeastSquaresLine.solve(FitProblem(space: .depth, x: x, y: x.map { 3 * $0 - 2 }))
    #expect(abs(fit.line.scale - 3) < 1e-8)
    #expect(fit.design.rank == 2)
  }
}

@Suite("Degenerate and refused fits")
struct FitErrorTests {
  @Test func tooFew() {
    #expect(throws: FitError.tooFewPairs(found: 1, needed: 2)) {
      try LeastSquaresLine.solve(FitProblem(space: .depth, x: [1], y: [1]))
    }
  }

  @Test("a spread of x below 1e-6 has no slope", arguments: [0, 1e-7])
  func constant(_ variation: Double) {
    let x = (0..<50).map { 5 + variation * Double($0 % 2) }
    #expect {
      try LeastSquaresLine.solve(FitProblem(space: .depth, x: x, y: x))
    } throws: { error in
      guard case .degenerate(let design) = error as? FitError else { return false }
      return design.spread < 1e-6
    }
  }

  @Test func notFinite() {
    #expect(throws: FitError.self) {
      try LeastSquaresLine.solve(FitProblem(space: .depth, x: [1, .nan, 3], y: [1, 2, 3]))
    }
  }

  @Test func nanObservation() {
    #expect {
      try LeastSquaresLine.solve(FitProblem(space: .depth, x: [1, 2, 3], y: [1, .nan, 3]))
    } throws: { error in
      guard case .numerical = error as? FitError else { return false }
      return true
    }
  }
}
