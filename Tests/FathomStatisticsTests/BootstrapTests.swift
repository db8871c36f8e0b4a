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

  @Test(
    "Student's with unequal tails, and BCa on the same resamples as numpy",
    arguments: StatisticsGolden.shared.intervals)
  func intervals(_ c: StatisticsGolden.Interval) throws {
    var bootstrap = SceneBootstrap(seed: c.seed)
    let weights = c.weights ?? c.values.map { _ in 1 }
    let found = bootstrap.interval(
      of: SceneValues(
        scenes: c.scenes, frames: 0, sides: [zip(c.values, weights).map { WeightedSum(sum: $0, weight: $1) }],
        isRoot: c.weights != nil, possible: (c.possible[0] ?? -.infinity)...(c.possible[1] ?? .infinity)))
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

  /// 1 … 5 have the mean 3, the standard deviation √2.5 and the standard error √½; Student's t with 4 degrees of freedom is scipy's.
  @Test("tails: 0.4 % on the side of scenes that were not sampled")
  func tails() throws {
    var bootstrap = SceneBootstrap(seed: 1)
    func ends(_ numbers: [Double], _ possible: ClosedRange<Double> = -.infinity ... .infinity) throws
      -> [Double]
    {
      let found = bootstrap.interval(
        ofMean: numbers, scenes: ["a", "b", "c", "d", "e"], possible: possible)
      let interval = try #require(found)
      return [interval.low, interval.high]
    }
    func near(_ found: [Double], _ low: Double, _ high: Double) -> Bool {
      abs(found[0] - low) < 1e-9 && abs(found[1] - high) < 1e-9
    }
    let (symmetric, error) = ([1.0, 2, 3, 4, 5], 0.5.squareRoot())
    // 2.5, 0.4 and 4.6 %.
    let (even, long, short) = (2.7764451051977943, 4.907636479716086, 2.206343456197137)
    #expect(near(try ends(symmetric), 3 - even * error, 3 + even * error))
    #expect(near(try ends(symmetric, 0...(.infinity)), 3 - short * error, 3 + long * error))
    #expect(near(try ends(symmetric.map { -$0 }, (-.infinity)...0), -3 - long * error, -3 + short * error))
    // A share in the middle of its range has no long side, and an error far from zero hardly one: √2.5/0.4/1003 of the way.
    #expect(near(try ends(symmetric, 0...6), 3 - even * error, 3 + even * error))
    let far = try ends(symmetric.map { $0 + 1000 }, 0...(.infinity)).map { $0 - 1003 }
    #expect(near(far, -2.7732159997830914 * error, 2.7796866209353417 * error))
    // Skewed differences are long to the side of the skew, and mirrored ones the other way round.
    let skewed = [0.0, 0, 0, 0, 5]
    #expect(near(try ends(skewed), 1 - even, 1 + long))
    #expect(near(try ends(skewed.map { -$0 }), -1 - long, -1 + even))
    // Ends stay within what is possible.
    #expect(try ends(skewed, 0...5)[0] == 0 && ends(skewed.map { 5 - $0 }, 0...5)[1] == 5)
  }

  @Test("the coverage that reports quote is that of the committed simulation")
  func coverage() throws {
    let text = try String(
      contentsOf: PackageFiles.root.appendingPathComponent("Tests/RecoveryExperiments/interval-coverage.csv"),
      encoding: .utf8)
    var held: [String: (held: Double, cases: Double)] = [:]
    for line in text.split(separator: "\n").dropFirst() {
      let cells = line.split(separator: ",").map(String.init)
      for (kind, first) in [("errors", 3), ("differences", 7)] {
        let counts = try cells[first...first + 2].map { try #require(Double($0)) }
        let key = "\(kind) \(cells[0]) \(cells[1])"
        let before = held[key] ?? (0, 0)
        held[key] = (before.held + counts[0], before.cases + counts.reduce(0, +))
      }
    }
    #expect(held.count == 2 * 5 * IntervalCoverage.table.count)
    for row in IntervalCoverage.table {
      for (law, quoted) in [
        ("normal", row.normal), ("heavy-tailed", row.heavyTailed), ("skewed", row.skewed),
        ("one in five", row.mixed),
      ] {
        let found = try ["errors", "differences"].map { try #require(held["\($0) \(law) \(row.scenes)"]) }
        let least = try #require(found.map { $0.held / $0.cases }.min())
        #expect(
          found.allSatisfy { $0.cases == 4000 } && abs(least - quoted) <= 0.0051, "\(law) \(row.scenes)")
      }
    }
    #expect(
      IntervalCoverage.simulated(scenes: 11).scenes == 8
        && IntervalCoverage.simulated(scenes: 99).scenes == 30
    )
  }
}
