import DepthCore
import Foundation
import FathomTestSupport
import Testing

@testable import FathomStatistics

@Suite("Intervals over scenes")
struct BootstrapTests {
  private func values(_ numbers: [Double], scenes: [String]? = nil) -> SceneValues {
    SceneValues(
      scenes: scenes ?? numbers.indices.map { "s\($0)" }, frames: numbers.count,
      sides: [numbers.map { WeightedSum(sum: $0, weight: 1) }], isRoot: false)
  }

  @Test("bootstrap-t and BCa, on the same resamples as numpy", arguments: StatisticsGolden.shared.intervals)
  func intervals(_ c: StatisticsGolden.Interval) throws {
    var bootstrap = SceneBootstrap(seed: c.seed)
    let found = bootstrap.interval(of: values(c.values, scenes: c.scenes))
    let interval = try #require(found)
    let ends = [interval.low, interval.high, interval.bcaLow, interval.bcaHigh]
    for (value, expected) in zip(ends, c.interval) {
      #expect(abs(value - expected) <= 1e-10 * (abs(expected) + 1e-3), "\(ends) instead of \(c.interval)")
    }
  }

  @Test("every resample has as many scenes; 10,000 are drawn", arguments: [1, 2, 6, 9, 10, 30])
  func resamples(_ count: Int) {
    let drawn = SceneResamples(scenes: (0..<count).map { "s\($0)" }, seed: 3)
    #expect(drawn.multiplicities.reduce(0, +) == 10_000)
    let ones = Array(repeating: 1.0, count: count)
    let again = SceneResamples(scenes: (0..<count).map { "s\($0)" }, seed: 3)
    let powers = (0..<count).map { pow(1.5, Double($0)) }
    let sums = drawn.sums(of: [ones, powers, ones.map { $0 / 2 }])
    #expect(sums.map(\.count) == Array(repeating: drawn.multiplicities.count, count: 3))
    #expect(sums[0].allSatisfy { $0 == Double(count) } && sums[2].allSatisfy { $0 == Double(count) / 2 })
    // Alone or beside others, a column has the same sums.
    #expect(sums[1] == again.sums(of: [powers])[0])
  }

  @Test("all equal gives a point, three scenes nothing, infinity nothing")
  func degenerate() throws {
    var bootstrap = SceneBootstrap(seed: 0)
    let point = bootstrap.interval(of: values(Array(repeating: 0.1, count: 7)))
    let equal = try #require(point)
    #expect(equal.low == equal.high && equal.bcaLow == equal.bcaHigh)
    #expect(abs(equal.low - 0.1) < 1e-15)
    let (few, infinite) = (
      bootstrap.interval(of: values([1, 2, 4])), bootstrap.interval(of: values([1, .infinity, 2, 3]))
    )
    #expect(few == nil && infinite == nil)
  }

  @Test("the order of questions changes nothing")
  func order() {
    let irregular = (0..<11).map { 1 + sin(Double($0 * $0)) }
    let questions = [
      values([1, 2, 4, 3.5]), values([3, 1, 8, 4]), values([0.5, 2, 1, 7]), values(irregular),
    ]
    var forwards = SceneBootstrap(seed: 5)
    var backwards = SceneBootstrap(seed: 5)
    let first = questions.map { forwards.interval(of: $0) }
    let second = Array(questions.reversed().map { backwards.interval(of: $0) }.reversed())
    #expect(first == second)
    var other = SceneBootstrap(seed: 6)
    let third = questions.map { other.interval(of: $0) }
    #expect(third != first)
  }

  @Test("ends stay within what is possible, and within three times Student's reach of nearly equal scenes")
  func bounds() throws {
    var bootstrap = SceneBootstrap(seed: 1)
    let scenes = ["a", "b", "c", "d", "e"]
    let found = bootstrap.interval(ofMean: [0, 0, 0, 1e-3, 1], scenes: scenes, possible: 0...1)
    let share = try #require(found)
    #expect(share.low == 0 && share.high == 1)
    let free = bootstrap.interval(ofMean: [0, 0, 0, 1e-3, 1], scenes: scenes)
    let reach = 3 * StudentDistribution.criticalValue(0.05, freedom: 4) * 0.2
    #expect(abs(try #require(free).high - (0.2002 + reach)) < 0.01)
  }

  @Test("from eight scenes on an interval is never narrower than Student's")
  func student() throws {
    var bootstrap = SceneBootstrap(seed: 2)
    var generator = SplitMix64(seed: 1)
    for scenes in [8, 15] {
      for _ in 0..<10 {
        let sample = (0..<scenes).map { _ in
          NormalDistribution.quantile((Double(generator.next() >> 11) + 0.5) * 0x1p-53)
        }
        let drawn = values(sample)
        let found = bootstrap.interval(of: drawn)
        let interval = try #require(found)
        let mean = sample.reduce(0, +) / Double(scenes)
        let error = try #require(drawn.standardError)
        let reach = StudentDistribution.criticalValue(0.05, freedom: Double(scenes - 1)) * error
        #expect(interval.low <= mean - reach + 1e-12 && interval.high >= mean + reach - 1e-12)
      }
    }
  }

  @Test("the coverage that reports quote is that of the committed simulation")
  func coverage() throws {
    let text = try String(
      contentsOf: PackageFiles.root.appendingPathComponent("Tests/RecoveryExperiments/interval-coverage.csv"),
      encoding: .utf8)
    var held: [String: (held: Double, cases: Double)] = [:]
    for line in text.split(separator: "\n").dropFirst() {
      let cells = line.split(separator: ",").map(String.init)
      let counts = try cells[3...5].map { try #require(Double($0)) }
      let key = cells[0] + " " + cells[1]
      let before = held[key] ?? (0, 0)
      held[key] = (before.held + counts[0], before.cases + counts.reduce(0, +))
    }
    #expect(held.count == 4 * IntervalCoverage.table.count)
    for row in IntervalCoverage.table {
      for (law, quoted) in [
        ("normal", row.normal), ("heavy-tailed", row.heavyTailed), ("skewed", row.skewed),
        ("mixed", row.mixed),
      ] {
        let found = try #require(held["\(law) \(row.scenes)"])
        #expect(
          found.cases == 4000 && abs(found.held / found.cases - quoted) <= 0.0051, "\(law) \(row.scenes)")
      }
    }
    #expect(
      IntervalCoverage.simulated(scenes: 11).scenes == 8
        && IntervalCoverage.simulated(scenes: 99).scenes == 30
    )
  }
}
