import FathomStatistics
import Testing

/// Expected values by scipy 1.17: `t.ppf`, `t.sf`, `binomtest(...).proportion_ci("exact")` and `.pvalue`.
@Suite("Few units")
struct SmallSampleTests {
  @Test(
    "critical values of Student's t",
    arguments: [
      (1.0, 12.706204736174694), (2.0, 4.302652729749462), (9.0, 2.2621571627982053),
      (29.0, 2.045229642132703), (1e4, 1.960201239890626), (1e17, 1.959963984540054),
    ])
  func student(freedom: Double, expected: Double) {
    #expect(abs(StudentDistribution.criticalValue(0.05, freedom: freedom) / expected - 1) < 1e-10)
    #expect(abs(StudentDistribution.twoSidedTail(-expected, freedom: freedom) - 0.05) < 1e-12)
  }

  @Test("exact intervals and sign tests of counts")
  func counts() throws {
    let cases: [(Int, Int, Double, Double, Double)] = [
      (8, 8, 0.6305833524471808, 1, 0.0078125), (0, 5, 0, 0.5218237501049814, 0.0625),
      (7, 10, 0.3475471499, 0.9332604888, 0.34375), (30, 60, 0.3680620319424367, 0.6319379680575633, 1),
    ]
    for (successes, trials, low, high, p) in cases {
      let count = SuccessCount(successes, of: trials)
      let interval = try #require(count.interval)
      #expect(abs(interval.low - low) < 1e-9 && abs(interval.high - high) < 1e-9)
      #expect(abs(count.signTest - p) < 1e-12)
    }
    #expect(SuccessCount(0, of: 0).interval == nil && SuccessCount(0, of: 0).share == nil)
  }

  @Test("a mean of scenes has the interval of the run's own statistics, whatever their weights add up to")
  func means() throws {
    var bootstrap = SceneBootstrap(seed: 3)
    let (values, scenes) = ([1.0, 2, 4, 8], ["a", "b", "c", "d"])
    let found = bootstrap.interval(ofMean: values, scenes: scenes)
    let plain = try #require(found)
    #expect(plain.low < 3.75 && plain.high > 3.75)
    #expect(bootstrap.interval(ofMean: values, scenes: scenes, weights: [3, 3, 3, 3])?.low == plain.low)
    #expect(bootstrap.interval(ofMean: [1], scenes: ["a"]) == nil)
  }
}
