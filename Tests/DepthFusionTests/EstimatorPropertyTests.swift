import Foundation
import Testing

@testable import DepthFusion

private let seeds: ClosedRange<UInt64> = 1...10
/// Pairs of a scene; debug builds are slow.
private let count = 120

@Suite("Properties of every estimator in every form")
struct EstimatorPropertyTests {
  @Test("relative values in another unit change nothing but the line", arguments: EstimatorCase.all)
  func relativeUnit(_ c: EstimatorCase) throws {
    for seed in seeds {
      let pairs = SyntheticPairs(count, outliers: 0.1, form: c.form, seed: seed)
      var scaled = pairs
      scaled.relative = pairs.relative.map { $0 * 37.3 }
      // The power law has no shift of its own, so a median ratio in logarithms is no such method.
      if c.estimator.id == "median-scale" && c.form == .log { continue }
      let (a, b) = (pairs.problem(c.form), scaled.problem(c.form))
      let (line, other) = (try c.estimator.line(a, seed: seed), try c.estimator.line(b, seed: seed))
      let back =
        c.form == .log
        ? Line(scale: other.scale, shift: other.shift + other.scale * log(37.3))
        : Line(scale: other.scale * 37.3, shift: other.shift)
      #expect(a.difference(line, back) < 1e-9, "seed \(seed)")
    }
  }

  @Test(
    "depths in another unit change only the unit of the result", arguments: EstimatorCase.all,
    [InlierThreshold.residualMAD(2.5), .metres(0.06), .perMetre(0.03), .targetMAD])
  func depthUnit(_ c: EstimatorCase, threshold: InlierThreshold) throws {
    let factor = 3.1
    guard Estimator.drawn.contains(c.estimator.id) || threshold == .residualMAD(2.5) else { return }
    if c.estimator.id == "median-scale" && c.form == .log { return }
    var (options, scaledOptions) = (FusionOptions(), FusionOptions())
    options.inlierThreshold = threshold
    switch threshold {
    case .metres(let value): scaledOptions.inlierThreshold = .metres(value * factor)
    case .perMetre(let value): scaledOptions.inlierThreshold = .perMetre(value / factor)
    case .residualMAD, .targetMAD: scaledOptions.inlierThreshold = threshold
    }
    for seed in seeds {
      let pairs = SyntheticPairs(count, outliers: 0.1, form: c.form, seed: seed)
      var scaled = pairs
      scaled.measured = pairs.measured.map { $0 * factor }
      let (a, b) = (pairs.problem(c.form), scaled.problem(c.form))
      let line = try c.estimator.line(a, options, seed: seed)
      let other = try c.estimator.line(b, scaledOptions, seed: seed)
      let back =
        switch c.form {
        case .depth: Line(scale: other.scale / factor, shift: other.shift / factor)
        case .disparity: Line(scale: other.scale * factor, shift: other.shift * factor)
        case .log: Line(scale: other.scale, shift: other.shift - log(factor))
        }
      #expect(a.difference(line, back) < 1e-9, "seed \(seed)")
    }
  }

  @Test("the order of the pairs changes nothing", arguments: EstimatorCase.all)
  func order(_ c: EstimatorCase) throws {
    guard !Estimator.drawn.contains(c.estimator.id) else { return }
    for seed in seeds {
      let problem = SyntheticPairs(count, outliers: 0.2, form: c.form, seed: seed).problem(c.form)
      let (a, b) = (
        try c.estimator.line(problem, seed: seed),
        try c.estimator.line(problem.permuted(seed: seed), seed: seed)
      )
      #expect(problem.difference(a, b) < 1e-9, "seed \(seed)")
    }
  }

  @Test(
    "nor where anchors are chosen", arguments: ["lad", "tukey", "huber", "lmeds", "trimmed", "median-scale"])
  func orderOfMany(_ id: String) throws {
    let estimator = try #require(Estimator.all.first { $0.id == id })
    for seed in UInt64(1)...2 {
      let problem = SyntheticPairs(9000, outliers: 0.2, form: .disparity, seed: seed).problem(.disparity)
      let (a, b) = (
        try estimator.line(problem, seed: seed), try estimator.line(problem.permuted(seed: seed), seed: seed)
      )
      #expect(problem.difference(a, b) < 1e-9, "seed \(seed)")
    }
  }

  @Test("drawn samples find the same consensus in another order", arguments: ["ransac", "lo-ransac"])
  func sameConsensus(_ id: String) throws {
    let estimator = try #require(Estimator.all.first { $0.id == id })
    var beyond = 0
    for scene in seeds {
      let problem = SyntheticPairs(400, outliers: 0.3, form: .disparity, seed: scene).problem(.disparity)
      let other = problem.permuted(seed: scene)
      func slopes(_ problem: FitProblem, _ first: UInt64) throws -> (mean: Double, squaredError: Double) {
        let values = try (first..<first + 30).map { try estimator.line(problem, seed: $0).scale }
        let mean = values.reduce(0, +) / 30
        return (mean, values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 29 / 30)
      }
      let (a, b) = (try slopes(problem, 1), try slopes(other, 1001))
      if abs(a.mean - b.mean) > 2 * (a.squaredError + b.squaredError).squareRoot() + 1e-12 { beyond += 1 }
    }
    // Two standard errors are exceeded by chance in one of twenty; three or more of ten have a probability of 1 %.
    #expect(beyond <= 2)
  }

  @Test("weight 0 is absent, equal weights are none", arguments: EstimatorCase.all)
  func weights(_ c: EstimatorCase) throws {
    for seed in seeds {
      let pairs = SyntheticPairs(count, outliers: 0.2, form: c.form, seed: seed)
      let plain = pairs.problem(c.form)
      let line = try c.estimator.line(plain, seed: seed)
      let junk = FitProblem(
        space: c.form, x: plain.x + [100, -3, 0], y: plain.y + [-50, 1e6, 7],
        weights: [Double](repeating: 1, count: count) + [0, 0, 0])
      #expect(plain.difference(try c.estimator.line(junk, seed: seed), line) < 1e-9, "seed \(seed)")
      let equal = FitProblem(
        space: c.form, x: plain.x, y: plain.y, weights: [Double](repeating: 0.05, count: count))
      #expect(plain.difference(try c.estimator.line(equal, seed: seed), line) < 1e-9, "seed \(seed)")
    }
  }

  @Test(
    "a pair of weight 2 is two pairs",
    arguments: ["ols", "wls", "huber", "tukey", "lad", "truncated-l1", "theil-sen", "median-scale"])
  func weightTwo(_ id: String) throws {
    let estimator = try #require(Estimator.all.first { $0.id == id })
    for seed in seeds {
      let weights = (0..<90).map { Double(1 + ($0 / 6) % 3) }
      let pairs = SyntheticPairs(90, outliers: 0.2, form: .disparity, seed: seed)
      let weighted = pairs.problem(.disparity, weights: weights)
      let repeated = FitProblem(space: .disparity, x: weighted.x, y: weighted.y).subset(
        weights.indices.flatMap { [Int](repeating: $0, count: Int(weights[$0])) })
      let (a, b) = (try estimator.line(weighted), try estimator.line(repeated))
      #expect(weighted.difference(a, b) < 1e-9, "seed \(seed)")
    }
  }

  @Test("30 % of outliers cost at most half of the clean error again", arguments: EstimatorCase.all)
  func outliers(_ c: EstimatorCase) throws {
    let isRejecting = Estimator.rejecting.contains(c.estimator.id)
    guard isRejecting || Estimator.bounded.contains(c.estimator.id) else { return }
    var (clean, contaminated, largest) = (0.0, 0.0, 0.0)
    for seed in seeds {
      let pairs = SyntheticPairs(240, outliers: 0, form: c.form, seed: seed)
      let dirty = SyntheticPairs(240, outliers: 0.3, form: c.form, seed: seed)
      let a = pairs.absRel(of: try c.estimator.line(pairs.problem(c.form), seed: seed), in: c.form)
      let b = dirty.absRel(of: try c.estimator.line(dirty.problem(c.form), seed: seed), in: c.form)
      (clean, contaminated, largest) = (clean + a, contaminated + b, max(largest, b / a))
    }
    #expect(contaminated <= (isRejecting ? 1.5 : 2.5) * clean)
    // A single scene of six surfaces may be less lucky, but never lost.
    #expect(largest <= (isRejecting ? 2 : 3))
  }

  @Test("the same stream gives the same fit", arguments: ["ransac", "lo-ransac", "lmeds", "trimmed"])
  func sameStream(_ id: String) throws {
    let estimator = try #require(Estimator.all.first { $0.id == id })
    let problem = SyntheticPairs(400, outliers: 0.3, form: .depth, seed: 3).problem(.depth)
    var (a, b) = (SplitMix64(seed: 9), SplitMix64(seed: 9))
    #expect(try estimator.fit(problem, FusionOptions(), &a) == estimator.fit(problem, FusionOptions(), &b))
  }
}
