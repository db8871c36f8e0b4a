import DepthCore
import Foundation
import FathomTestSupport
import Testing

@testable import DepthFusion

@Suite("What each estimator recovers and refuses")
struct EstimatorFitTests {
  @Test("an exact line, with and without a third of gross outliers", arguments: EstimatorCase.all)
  func exact(_ c: EstimatorCase) throws {
    let isScaleOnly = c.estimator.id == "median-scale"
    let truth = Line(scale: 1.7, shift: isScaleOnly ? 0 : 0.4)
    let x = (0..<90).map { 0.3 + 0.01 * Double($0) }
    var y = x.map { truth.scale * $0 + truth.shift }
    let clean = FitProblem(space: c.form, x: x, y: y)
    #expect(clean.difference(try c.estimator.line(clean), truth) < 1e-9)
    guard Estimator.rejecting.contains(c.estimator.id) || c.estimator.id == "lad" else { return }
    for i in stride(from: 0, to: 90, by: 3) { y[i] += 0.5 + 0.02 * Double(i) }
    let dirty = FitProblem(space: c.form, x: x, y: y)
    #expect(clean.difference(try c.estimator.line(dirty), truth) < 1e-9)
  }

  @Test("one pair is too few", arguments: Estimator.all.map(\.id))
  func tooFew(_ id: String) throws {
    let estimator = try #require(Estimator.all.first { $0.id == id })
    let one = FitProblem(space: .depth, x: [2], y: [3])
    if id == "median-scale" {
      #expect(try estimator.line(one) == Line(scale: 1.5, shift: 0))
      #expect(throws: FitError.tooFewPairs(found: 0, needed: 1)) {
        try estimator.line(FitProblem(space: .depth, x: [], y: []))
      }
    } else {
      #expect(throws: FitError.tooFewPairs(found: 1, needed: 2)) { try estimator.line(one) }
    }
  }

  @Test("a constant regressor determines no slope", arguments: Estimator.all.map(\.id))
  func degenerate(_ id: String) throws {
    let estimator = try #require(Estimator.all.first { $0.id == id })
    let value = id == "median-scale" ? 0.0 : 5
    let flat = FitProblem(
      space: .depth, x: [Double](repeating: value, count: 40), y: (0..<40).map { Double($0) })
    #expect {
      try estimator.line(flat)
    } throws: { error in
      guard case .degenerate = error as? FitError else { return false }
      return true
    }
  }

  @Test("a value that is not finite is an error, not a crash", arguments: Estimator.all.map(\.id))
  func notFinite(_ id: String) throws {
    let estimator = try #require(Estimator.all.first { $0.id == id })
    let x = (0..<100).map { Double($0) + 1 }
    for bad in [Double.nan, .infinity] {
      var y = x
      y[40] = bad
      #expect(throws: FitError.self) { try estimator.line(FitProblem(space: .depth, x: x, y: y)) }
      #expect(throws: FitError.self) { try estimator.line(FitProblem(space: .depth, x: y, y: x)) }
    }
  }

  @Test("Theil–Sen by hand: slopes 1, 1, 1, 7/3, 3, 5 of four points")
  func theilSen() throws {
    let problem = FitProblem(space: .depth, x: [0, 1, 2, 3], y: [0, 1, 2, 7])
    // Median of the six is (1 + 7/3)/2 = 5/3; of y − 5x/3 = 0, −2/3, −4/3, 2 it is −1/3.
    let line = try Estimator.theilSen.line(problem)
    #expect(abs(line.scale - 5.0 / 3) < 1e-12)
    #expect(abs(line.shift + 1.0 / 3) < 1e-12)
  }

  @Test("median ratio by hand, in every form")
  func medianScale() throws {
    let problem = FitProblem(space: .log, x: [1, 2, 0, 4], y: [2, 6, 9, 4])
    #expect(try Estimator.medianScale.line(problem) == Line(scale: 2, shift: 0))
    let weighted = FitProblem(space: .depth, x: [1, 2, 4], y: [2, 6, 4], weights: [1, 3, 1])
    #expect(try Estimator.medianScale.line(weighted) == Line(scale: 3, shift: 0))
  }

  @Test("no line has a lower truncated sum than truncated-l1's", arguments: [UInt64(1), 2, 3])
  func truncatedL1(seed: UInt64) throws {
    let problem = SyntheticPairs(60, outliers: 0.3, form: .depth, seed: seed).problem(.depth)
    let start = try LeastAbsoluteDeviations.line(problem)
    let limit = 2.5 * IteratedReweighting.residualScale(problem.residuals(of: start), nil)
    func sum(_ line: Line) -> Double { problem.residuals(of: line).reduce(0) { $0 + min(abs($1), limit) } }
    let found = try Estimator.truncatedL1.line(problem)
    var generator = SplitMix64(seed: seed)
    for _ in 0..<3000 {
      let other = Line(
        scale: found.scale * Double.random(in: 0.7...1.3, using: &generator),
        shift: found.shift + Double.random(in: -0.5...0.5, using: &generator))
      #expect(sum(other) >= sum(found) * (1 - 1e-12))
    }
  }

  @Test("a wider share is kept on request; all of them are least squares")
  func keptShare() throws {
    let problem = SyntheticPairs(200, outliers: 0, form: .depth, seed: 5).problem(.depth)
    var generator = SplitMix64(seed: 1)
    let all = try LeastTrimmedSquares(keptShare: 1, trials: 100).fit(problem, using: &generator)
    let squares = try LeastSquaresLine.solve(problem)
    let limit = 2.5 * (problem.residuals(of: squares.line).reduce(0) { $0 + $1 * $1 } / 200).squareRoot()
    #expect(
      problem.difference(all.line, try LeastSquaresLine.solve(problem, within: limit, of: squares.line).line)
        < 1e-9)
  }

  @Test("local optimisation never has a worse score than its start and is closer on average")
  func localOptimisation() throws {
    var (plain, optimised) = (0.0, 0.0)
    for seed in UInt64(1)...30 {
      let pairs = SyntheticPairs(400, outliers: 0.3, form: .disparity, seed: 4)
      let problem = pairs.problem(.disparity)
      plain += pairs.absRel(of: try Estimator.ransac.line(problem, seed: seed), in: .disparity)
      optimised += pairs.absRel(of: try Estimator.loRANSAC.line(problem, seed: seed), in: .disparity)
    }
    #expect(optimised <= plain)
  }

  @Test("medians with weights, also where exactly half is reached and where bins are many")
  func weightedMedian() throws {
    #expect(OrderStatistics.median(of: [3, 1, 2], weights: [1, 1, 5]) == 2)
    #expect(OrderStatistics.median(of: [4, 1, 3, 2], weights: [0.05, 0.05, 0.05, 0.05]) == 2.5)
    #expect(OrderStatistics.median(of: [1, 2, 9], weights: [1, 0, 1]) == 5)
    #expect(OrderStatistics.median(of: [], weights: []) == nil)
    var generator = SplitMix64(seed: 8)
    for count in [257, 1000, 4001] {
      let values = (0..<count).map { _ in Double.random(in: -2...1000, using: &generator) }
      let weights = values.map { _ in Double(Int.random(in: 0...3, using: &generator)) }
      let repeated = zip(values, weights).flatMap { [Double](repeating: $0, count: Int($1)) }
      #expect(OrderStatistics.median(of: values, weights: weights) == OrderStatistics.median(of: repeated))
    }
  }

  @Test("an order statistic is the same whether or not it lies where it is looked for")
  func selection() {
    var generator = SplitMix64(seed: 3)
    let values = (0..<1001).map { _ in Double(Int.random(in: 0..<400, using: &generator)) / 7 }
    let sorted = values.sorted()
    for rank in [0, 1, 499, 500, 1000] {
      for (low, high) in [(0.0, 60.0), (20, 40), (70, 80), (-5, -1), (40, 20)] {
        #expect(OrderStatistics.select(rank, in: values, between: low, and: high) == sorted[rank])
      }
    }
  }

  @Test("inliers are those within the limit, with and without weights")
  func inliers() {
    let pairs = SyntheticPairs(300, outliers: 0.3, form: .depth, seed: 2)
    let line = Line(scale: 2.5, shift: 0.3)
    let plain = pairs.problem(.depth), weighted = pairs.problem(.depth, weights: (1...300).map(Double.init))
    let expected = plain.residuals(of: line).indices.filter { abs(plain.residuals(of: line)[$0]) <= 0.05 }
    #expect(plain.inliers(within: 0.05, of: line).x == expected.map { plain.x[$0] })
    #expect(plain.inliers(within: 0.05, of: line).y == expected.map { plain.y[$0] })
    #expect(weighted.inliers(within: 0.05, of: line).weights == expected.map { Double($0 + 1) })
  }

  @Test("the order of values is that of sorting, with ties and outliers", arguments: [10, 65, 3000])
  func ascendingOrder(_ count: Int) {
    var generator = SplitMix64(seed: 2)
    var values = (0..<count).map { _ in Double(Int.random(in: 0..<count, using: &generator)) }
    #expect(
      OrderStatistics.ascendingOrder(of: values)
        == values.indices.sorted { (values[$0], $0) < (values[$1], $1) })
    values[0] = 1e30
    #expect(
      OrderStatistics.ascendingOrder(of: values)
        == values.indices.sorted { (values[$0], $0) < (values[$1], $1) })
  }
}
