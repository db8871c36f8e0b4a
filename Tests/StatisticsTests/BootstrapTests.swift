import DepthCore
import Foundation
import Testing

@testable import Statistics

@Suite("Intervals over scenes")
struct BootstrapTests {
  private func values(_ numbers: [Double], scenes: [String]? = nil) -> SceneValues {
    SceneValues(
      scenes: scenes ?? numbers.indices.map { "s\($0)" }, frames: numbers.count,
      sides: [numbers.map { WeightedSum(sum: $0, weight: 1) }], isRoot: false)
  }

  @Test("BCa and percentile, on the same resamples as numpy", arguments: StatisticsGolden.shared.bca)
  func bca(_ c: StatisticsGolden.Interval) throws {
    var bootstrap = SceneBootstrap(seed: c.seed)
    let found = bootstrap.interval(of: values(c.values, scenes: c.scenes))
    let interval = try #require(found)
    let ends = [interval.low, interval.high, interval.percentileLow, interval.percentileHigh]
    for (value, expected) in zip(ends, c.interval) {
      #expect(abs(value - expected) <= 1e-10 * (abs(expected) + 1e-3), "\(ends) instead of \(c.interval)")
    }
  }

  @Test("every resample has as many scenes; 10,000 are drawn", arguments: [1, 2, 6, 9, 10, 30])
  func resamples(_ count: Int) {
    let drawn = SceneResamples(scenes: (0..<count).map { "s\($0)" }, seed: 3)
    #expect(drawn.multiplicities.reduce(0, +) == 10_000)
    #expect(drawn.sums(of: Array(repeating: 1, count: count)).allSatisfy { $0 == Double(count) })
    let again = SceneResamples(scenes: (0..<count).map { "s\($0)" }, seed: 3)
    let powers = (0..<count).map { pow(1.5, Double($0)) }
    #expect(drawn.sums(of: powers) == again.sums(of: powers))
  }

  @Test("all equal gives a point, one scene nothing, infinity nothing")
  func degenerate() throws {
    var bootstrap = SceneBootstrap(seed: 0)
    let point = bootstrap.interval(of: values(Array(repeating: 0.1, count: 7)))
    let equal = try #require(point)
    #expect(equal.low == equal.high && equal.percentileLow == equal.percentileHigh)
    #expect(abs(equal.low - 0.1) < 1e-15)
    let (single, infinite) = (
      bootstrap.interval(of: values([1])), bootstrap.interval(of: values([1, .infinity, 2]))
    )
    #expect(single == nil && infinite == nil)
  }

  @Test("the order of questions changes nothing")
  func order() {
    let irregular = (0..<11).map { 1 + sin(Double($0 * $0)) }
    let questions = [values([1, 2, 4]), values([3, 1, 8, 4]), values([0.5, 2, 1]), values(irregular)]
    var forwards = SceneBootstrap(seed: 5)
    var backwards = SceneBootstrap(seed: 5)
    let first = questions.map { forwards.interval(of: $0) }
    let second = Array(questions.reversed().map { backwards.interval(of: $0) }.reversed())
    #expect(first == second)
    var other = SceneBootstrap(seed: 6)
    let third = questions.map { other.interval(of: $0) }
    #expect(third != first)
  }

  @Test("an interval holds the mean in about as many cases as is said of few scenes")
  func coverage() {
    // 100 data sets of 12 normal values: percentile intervals cover about 0.91 (domain §4); ± 4 standard errors.
    var generator = SplitMix64(seed: 1)
    var bootstrap = SceneBootstrap(seed: 2)
    var hits = 0
    for _ in 0..<100 {
      let sample = (0..<12).map { _ in
        NormalDistribution.quantile((Double(generator.next() >> 11) + 0.5) / 9_007_199_254_740_992)
      }
      guard let interval = bootstrap.interval(of: values(sample)) else { continue }
      if interval.percentileLow <= 0 && interval.percentileHigh >= 0 { hits += 1 }
    }
    #expect(abs(Double(hits) / 100 - 0.91) < 0.115)
  }
}
