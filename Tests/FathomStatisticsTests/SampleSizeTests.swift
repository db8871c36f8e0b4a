import Testing

@testable import FathomStatistics

@Suite("Power and components of variance against scipy and statsmodels")
struct SampleSizeTests {
  private let golden = StatisticsGolden.shared

  @Test func chiSquaredQuantiles() {
    for row in golden.chi2_isf {
      #expect(agree(TailProbabilities.chiSquaredQuantile(row[0], freedom: row[1]), row[2]), "\(row)")
    }
  }

  @Test func power() {
    for row in golden.t_power {
      let value = TTestPower.power(effect: row[0], scenes: Int(row[1]))
      #expect(agree(value, row[2], tolerance: 1e-8), "\(row): \(value)")
    }
    #expect(TTestPower.power(effect: 1e6, scenes: 4) == 1)
  }

  @Test func scenes() {
    for row in golden.t_scenes {
      #expect(TTestPower.scenes(detecting: row[0], deviation: 1) == Int(row[1]), "\(row)")
    }
    #expect(TTestPower.scenes(detecting: 1, deviation: 0) == 4)
    #expect(TTestPower.scenes(detecting: 0.001, deviation: 1) == nil)
    let least = TTestPower.detectable(scenes: 12, deviation: 3)
    #expect(agree(TTestPower.power(effect: least / 3, scenes: 12), 0.8, tolerance: 1e-9))
  }

  @Test func components() throws {
    for row in golden.components {
      let found = try #require(VarianceComponents(row.values))
      let values = [found.betweenScenes, found.withinScenes, found.perFrame]
      for (value, expected) in zip(values, row.components) {
        #expect(agree(try #require(value), expected, tolerance: 1e-9))
      }
    }
  }

  @Test("One frame a scene says nothing of frames, one scene nothing of scenes")
  func fewest() throws {
    let single = try #require(VarianceComponents([[1], [2], [4]]))
    #expect(single.withinScenes == nil && single.perFrame == nil && single.independentFrames == nil)
    #expect(
      single.betweenScenes == single.ofSceneMeans && single.deviation(framesTimes: 4) == single.ofSceneMeans)
    #expect(VarianceComponents([[1, 2], []]) == nil)
  }

  @Test("More frames of a scene leave what scenes differ by")
  func frames() {
    let given = VarianceComponents(betweenScenes: 3, withinScenes: 8, framesPerScene: 4)
    #expect(given.deviation(framesTimes: 1) == 5)
    #expect(given.deviation(framesTimes: .infinity) == 3)
    #expect(given.independentFrames == 4)
    // t(0.975, 3)·5/√4
    #expect(agree(VarianceComponents.halfWidth(scenes: 4, deviation: 5), 3.182446305283709 * 2.5))
    // Quantiles of χ² with 3 degrees by scipy: 9.3484036 and 0.2157953
    let factors = VarianceComponents.deviationInterval(scenes: 4)
    #expect(agree(factors.lowerBound, 0.5664895466, tolerance: 1e-6))
    #expect(agree(factors.upperBound, 3.7285472758, tolerance: 1e-6))
  }
}

@Suite("Budgets of uncertainty")
struct UncertaintyBudgetTests {
  /// GUM H.1: an end gauge of 50 mm, nanometres; u_c = 32 nm, ν_eff = 16.
  @Test func publishedExample() {
    let parts: [(Double, Double)] = [(25, 18), (5.8, 24), (3.9, 5), (6.7, 8), (2.9, 50), (16.6, 2)]
    let budget = UncertaintyBudget(
      parts.map { .init("part", .normal, standardUncertainty: $0.0, freedom: $0.1) })
    #expect(budget.combined.rounded() == 32)
    #expect(budget.freedom.rounded(.down) == 16)
    #expect(abs(budget.components.reduce(0) { $0 + budget.share(of: $1) } - 1) < 1e-12)
  }

  @Test func factors() {
    let known = UncertaintyBudget([.init("scale", .normal, standardUncertainty: 0.01, sensitivity: -2)])
    #expect(known.combined == 0.02 && known.freedom == .infinity)
    #expect(agree(known.coverageFactor, 1.959963984540054))
    let sampled = UncertaintyBudget([.init("scenes", .student, standardUncertainty: 2, freedom: 3)])
    #expect(agree(sampled.expanded, 2 * 3.182446305283709))
    #expect(UncertaintyBudget([]).expanded == 0)
  }
}
