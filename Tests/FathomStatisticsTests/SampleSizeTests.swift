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

  @Test("Where scenes differ by less than their frames explain, more frames still narrow the means")
  func agreeingScenes() throws {
    let found = try #require(
      VarianceComponents([[1, 5, 1, 5], [5, 1, 5, 1.2], [1, 5.1, 1, 5], [5, 1, 5, 1]]))
    #expect(found.betweenScenes == 0 && found.deviation(framesTimes: 1) == found.ofSceneMeans)
    #expect(agree(found.deviation(framesTimes: 4), found.ofSceneMeans / 2))
    #expect(found.deviation(framesTimes: .infinity) == 0)
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
