import DepthCore
import DepthFusion
import FathomStatistics
import Testing

@testable import DepthEvaluation
@testable import DepthVerdicts

/// Rows of two methods whose errors are given by scene and frame; nil is a refused frame.
private func records(
  _ errors: [[Double?]], lidar: Double = 0.03, method: String = "ols@disparity", coverage: Double = 0.9
) -> [FrameRecord] {
  errors.enumerated().flatMap { scene, frames in
    frames.enumerated().flatMap { frame, error in
      [("lidar-bilinear", Optional(lidar)), (method, error)].map { id, error in
        var values = [Double?](repeating: nil, count: MetricColumn.all.count)
        if let error {
          for column in [MetricColumn.maeMeasured, .coverage, MetricColumn(.delta1)] {
            values[column.position] = column == .maeMeasured ? error : column == .coverage ? coverage : 0.9
          }
        }
        return FrameRecord(
          scene: "room-\(scene)", frameIndex: frame, frame: "\(frame)", method: id, space: nil,
          role: .line,
          fusion: FusionResult(status: error == nil ? .tooFewPairs : .ok), values: error == nil ? [] : values)
      }
    }
  }
}

private let pair = MethodPair(reference: "ols@disparity", candidate: "ols@disparity")

private func differences(_ reference: [[Double?]], _ candidate: [[Double?]]) -> RunDifferences {
  var found = [
    RunDifferences(records(reference), records(candidate), pairs: [pair], mode: .scene, seed: 0)
  ]
  found.adjust()
  return found[0]
}

private func gate(_ rules: [String], _ differences: RunDifferences...) throws -> WorseningGate {
  WorseningGate(try rules.map { try WorseningRule($0) }, differences, pairs: [pair], seed: 0)
}

@Suite("Runs compared with each other")
struct RunDifferencesTests {
  @Test("scene means on common frames, refused ones in the fallback form")
  func known() throws {
    let found = differences([[0.1, 0.2], [0.3, 0.4]], [[0.2, nil], [0.5, 0.5]])
    let solved = try #require(found.difference(pair, "mae_m_measured", .solved)?.comparison)
    #expect(solved.frames == 3 && solved.scenes == 2)
    #expect(abs(solved.difference - (0.1 + 0.15) / 2) < 1e-12)
    #expect(abs((solved.standardError ?? 0) - 0.025) < 1e-12)
    let whole = try #require(found.headline(pair, "mae_m_measured")?.comparison)
    // (0.2 + 0.03)/2 − 0.15 and 0.15.
    #expect(whole.frames == 4 && abs(whole.difference - (-0.035 + 0.15) / 2) < 1e-12)
    #expect(found.solved[pair] == .init(reference: 4, candidate: 3, frames: 4))
    let share = try #require(found.headline(pair, "frames_solved"))
    #expect(share.form == .all && share.comparison?.difference == -0.25 && share.worsening == 0.25)
    let coverage = try #require(found.headline(pair, "coverage")?.comparison)
    #expect(abs(coverage.difference + 0.225) < 1e-12)
    #expect(found.difference(pair, "rmse_m", .solved)?.comparison == nil)
  }

  @Test("three scenes have a standard error and no interval, one has neither")
  func fewScenes() throws {
    let found = differences([[0.1], [0.1], [0.1]], [[0.11], [0.13], [0.12]])
    let comparison = try #require(found.headline(pair, "mae_m_measured")?.comparison)
    #expect(abs((comparison.standardError ?? 0) - 0.01 / 3.0.squareRoot()) < 1e-9)
    #expect(comparison.interval == nil)
    let single = differences([[0.1]], [[0.2]]).headline(pair, "mae_m_measured")?.comparison
    #expect(single?.standardError == nil && single?.interval == nil)
    #expect(abs((single?.difference ?? 0) - 0.1) < 1e-12)
  }

  @Test("the same run: exactly zero, with an interval of nothing")
  func identical() throws {
    let errors: [[Double?]] = (0..<6).map { [0.1 + Double($0) / 100, nil, 0.123] }
    let found = differences(errors, errors)
    for row in found.rows where row.comparison != nil {
      #expect(row.comparison?.difference == 0 && row.comparison?.interval?.high == 0)
      #expect(row.comparison?.adjustedP == 1)
    }
    let gate = try gate(["mae_m_measured", "frames_solved", "coverage:1%"], found)
    #expect(!gate.isWorse && !gate.isUnknown && gate.verdicts.allSatisfy { $0.outcome == .within })
    // The error is judged on all frames and on the solved ones.
    #expect(gate.comparisons == 4)
  }

  @Test("a worsening that all scenes show trips the gate, beyond the tolerance only")
  func worsening() throws {
    let base: [[Double?]] = (0..<8).map { [0.1 + Double($0) / 100] }
    let worse = base.enumerated().map { i, frames in [frames[0].map { $0 + 0.01 + Double(i % 3) * 0.001 }] }
    let found = differences(base, worse)
    #expect(try gate(["mae_m_measured"], found).isWorse)
    #expect(try gate(["mae_m_measured:0.009"], found).isWorse)
    #expect(try gate(["mae_m_measured:5%"], found).isWorse)
    let close = try gate(["mae_m_measured:0.011"], found)
    #expect(!close.isWorse && close.verdicts[0].outcome == .notShown)
    let wide = try gate(["mae_m_measured:20%"], found)
    #expect(wide.verdicts[0].outcome == .within && abs((wide.verdicts[0].tolerance ?? 0) - 0.027) < 1e-12)
    // Better is not worse.
    #expect(try !gate(["mae_m_measured"], differences(worse, base)).isWorse)
  }

  @Test("fewer solved frames trip the gate of solved frames, not that of errors")
  func refusals() throws {
    let base: [[Double?]] = (0..<6).map { [0.03 + Double($0) / 100, 0.03] }
    let refusing: [[Double?]] = (0..<6).map { [0.03 + Double($0) / 100, nil] }
    let found = differences(base, refusing)
    #expect(try gate(["frames_solved:0.4"], found).isWorse)
    #expect(try gate(["coverage:0.4"], found).isWorse)
    #expect(try !gate(["frames_solved:0.5"], found).isWorse)
    #expect(try !gate(["mae_m_measured"], found).isWorse)
  }

  @Test("few scenes, no frame: the gate cannot tell", arguments: [1, 2, 4])
  func unknown(scenes: Int) throws {
    let base: [[Double?]] = (0..<scenes).map { _ in [0.1] }
    let worse: [[Double?]] = (0..<scenes).map { _ in [0.2] }
    let gate = try gate(["mae_m_measured"], differences(base, worse))
    #expect(!gate.isWorse && gate.isUnknown && gate.comparisons == 0)
    #expect(gate.verdicts[0].outcome == .unknown && gate.verdicts[0].interval == nil)
    let empty = try WorseningGate(
      [WorseningRule("rmse_m")], [differences(base, worse)], pairs: [pair], seed: 0)
    #expect(empty.isUnknown)
  }

  @Test("why the gate cannot tell: no shared frame, too few scenes, or a value that is not finite")
  func causes() throws {
    func base(_ scenes: Int) -> [[Double?]] { (0..<scenes).map { [0.1 + Double($0) / 100] } }
    func cause(_ rule: String, _ scenes: Int, first: Double) throws -> WorseningGate.Cause? {
      let gate = try gate([rule], differences(base(scenes), [[first]] + base(scenes).dropFirst()))
      #expect((gate.verdicts[0].cause == nil) == (gate.verdicts[0].outcome != .unknown))
      return gate.verdicts[0].cause
    }
    #expect(try cause("mae_m_measured", 6, first: .infinity) == .notFinite)
    #expect(try cause("mae_m_measured", 6, first: .nan) == .notFinite)
    #expect(try cause("mae_m_measured", 4, first: .infinity) == .tooFewScenes)
    #expect(try cause("rmse_m", 6, first: .infinity) == .noSharedFrame)
    #expect(try cause("mae_m_measured", 6, first: 0.2) == nil)
  }

  @Test(
    "noise seldom trips it, whatever it is distributed like",
    arguments: ["uniform", "two values", "far tails"])
  func noise(kind: String) throws {
    var generator = SplitMix64(seed: 7)
    func uniform() -> Double { Double(generator.next() >> 11) / 4_503_599_627_370_496 - 1 }
    func draw() -> Double {
      switch kind {
      case "uniform": uniform()
      case "two values": uniform() < 0 ? -1 : 1
      default: uniform() / uniform()
      }
    }
    let methods = (0..<8).map { "method-\($0)" }
    let pairs = methods.map { MethodPair(reference: $0, candidate: $0) }
    let rule = try WorseningRule("mae_m_measured")
    let base = methods.flatMap { records((0..<6).map { _ in [1000] }, method: $0) }
    var tripped = 0
    let trials = 60
    for _ in 0..<trials {
      let other = methods.flatMap { records((0..<6).map { _ in [1000 + draw()] }, method: $0) }
      let found = RunDifferences(base, other, pairs: pairs, mode: .scene, seed: 0)
      if WorseningGate([rule], [found], pairs: pairs, seed: 0).isWorse { tripped += 1 }
    }
    // 5 % of 60 and three standard deviations.
    #expect(tripped <= 8, "\(tripped) of \(trials)")
  }

  @Test(
    "rules are read or refused",
    arguments: [
      ("mae_m_measured", true), ("rmse_m:0.01", true), ("delta_1:2%", true), ("frames_solved", true),
      ("bias_m", false), ("mae", false), ("mae_m:-1", false), ("mae_m:", false), ("mae_m:1 m", false),
      ("mae_m:nan", false), ("pairs", false), ("", false),
    ])
  func rules(_ text: String, _ isRule: Bool) {
    #expect(((try? WorseningRule(text)) != nil) == isRule)
  }

  @Test("the run with the lower error cannot be called better where it leaves out pixels")
  func coverage() throws {
    let (low, high): ([[Double?]], [[Double?]]) = ([[0.1], [0.2], [nil]], [[0.2], [0.3], [0.3]])
    /// Coverage of the two where they cannot be compared.
    func unequal(
      _ reference: [FrameRecord], _ candidate: [FrameRecord], _ column: String = "mae_m_measured"
    ) throws -> [Double]? {
      let found = RunDifferences(reference, candidate, pairs: [pair], mode: .scene, seed: 0)
      return found.unequalCoverage(try #require(found.headline(pair, column))).map {
        [$0.referenceValue, $0.value]
      }
    }
    let (full, thin) = (records(high, coverage: 1), records(low, coverage: 0.98))
    #expect(try unequal(full, thin) == [1, 0.98] && unequal(thin, full) == [0.98, 1])
    // What is worse and covers less is worse; so is what leaves out hardly anything.
    #expect(try unequal(records(low, coverage: 1), records(high, coverage: 0.8)) == nil)
    #expect(try unequal(full, records(low, coverage: 0.995)) == nil)
    #expect(try unequal(full, thin, "coverage") == nil && unequal(full, thin, "frames_solved") == nil)
  }

  @Test("the same bytes of statistics, whatever the order of runs and pairs")
  func deterministic() throws {
    let base: [[Double?]] = (0..<14).map { [0.1 + Double($0 * $0 % 5) / 100] }
    let other: [[Double?]] = (0..<14).map { [0.1 + Double($0 * 3 % 7) / 100] }
    let (a, b) = (differences(base, other), differences(base, other))
    #expect(a.rows.map { $0.comparison?.interval } == b.rows.map { $0.comparison?.interval })
    let gates = try [gate(["mae_m_measured"], a), gate(["mae_m_measured"], b)]
    // More than twelve scenes: flips are drawn.
    #expect(gates[0].verdicts[0].chance == gates[1].verdicts[0].chance)
    #expect((gates[0].verdicts[0].chance ?? 0) > 0.05)
  }
}

@Suite("Swapped runs")
struct JointSignFlipsTests {
  @Test("all scenes of one sign: one choice of 2ⁿ, whatever the number of samples")
  func smallest() {
    let scenes = (0..<6).map { "\($0)" }
    let worse = JointSignFlips.Sample(scenes: scenes, values: [1, 1.1, 0.9, 1.05, 1, 0.95])
    let noise = JointSignFlips.Sample(scenes: scenes, values: [1, -1.1, 0.2, -0.3, 0.1, 0])
    #expect(JointSignFlips.pValues([worse], seed: 0) == [1.0 / 64])
    let both = JointSignFlips.pValues([worse, noise], seed: 0)
    #expect(both[0] == 1.0 / 64 && both[1] > 0.3)
  }

  @Test("equal values are not a proof where the signs of others would do the same")
  func equalValues() {
    let scenes = (0..<5).map { "\($0)" }
    let samples = (0..<4).map { k in
      JointSignFlips.Sample(scenes: scenes, values: (0..<5).map { ($0 + k) % 5 < k ? -1 : 1 })
    }
    let p = JointSignFlips.pValues(samples, seed: 0)
    // Sample 0 has one sign; four other choices give one to another sample, or its negative.
    #expect(p[0] > 1.0 / 32)
  }
}
