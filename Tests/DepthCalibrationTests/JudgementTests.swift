import DepthCore
import DepthFusion
import FathomStatistics
import Testing

@testable import DepthCalibration

@Suite("Judging a calibration")
struct JudgementTests {
  private func judgement(_ clusters: [[ErrorSample]]) throws -> PredictiveCheck {
    let units = CalibrationUnits(simulated: clusters)
    let model = try NoiseFit(clusters.flatMap { $0 }).parameters
    var bootstrap = SceneBootstrap(seed: 0)
    return try #require(PredictiveCheck(level: 2, units: units, model: model, &bootstrap))
  }

  @Test("the law that made the noise is honest; the PIT is flat")
  func honest() throws {
    let check = try judgement(SimulatedErrors(outlierShare: 0.03).scenes(12, of: 1500, seed: 5))
    #expect(check.verdict == .honest && check.judged == .otherScenes && check.folds == 10)
    #expect(check.samples == 18_000)
    // 900 of 18,000 in each bin, standard deviation 29.
    #expect(check.bins.allSatisfy { abs($0.value - 0.05) < 0.008 })
    let total = check.bins.reduce(0) { $0 + $1.value }
    #expect(abs(total - 1) < 1e-9)
    // a and b alone know nothing of the outliers.
    #expect(check.coverages.allSatisfy { $0.noiseOnly.value < $0.model.value })
  }

  @Test("scenes with an error of their own show that the model is too narrow for a new one")
  func tooNarrow() throws {
    var simulated = SimulatedErrors(law: RangeLaw(a: 0.005, b: 0))
    // Half of the scenes are four times as noisy: the held-out data are not what was fitted.
    let quiet = simulated.scenes(1, of: 2000, seed: 6)
    simulated.law.a = 0.02
    let noisy = simulated.scenes(1, of: 2000, seed: 7)
    let check = try judgement(quiet + noisy)
    #expect(check.folds == 2)
    let shares = check.coverages.map(\.model.value)
    #expect(shares.allSatisfy { abs($0 - 0.95) > 0.001 })
    #expect(check.verdict != .honest)
  }

  @Test("errors in the order of confidence are counted, scene by scene and frame by frame")
  func order() throws {
    func frame(_ index: Int, _ medians: [Float]) -> DepthFrame {
      let levels = (0...2).flatMap { Array(repeating: UInt8($0), count: 30) }
      return rowFrame(
        index, truth: Array(repeating: 1, count: 90), errors: levels.map { medians[Int($0)] }, levels: levels)
    }
    let good = sceneErrors([frame(0, [0.3, 0.2, 0.1]), frame(1, [0.1, 0.2, 0.1])], name: "good")
    let bad = sceneErrors([frame(0, [0.3, 0.2, 0.25])], name: "bad")
    var bootstrap = SceneBootstrap(seed: 0)
    let found = Monotonicity([good, bad], &bootstrap).comparisons
    #expect(found.map(\.name) == ["2 < 1", "1 < 0", "2 < 1 < 0"])
    #expect(found.map(\.scenes) == [SuccessCount(1, of: 2), SuccessCount(1, of: 2), SuccessCount(0, of: 2)])
    #expect(found.map(\.frames) == [SuccessCount(2, of: 3), SuccessCount(2, of: 3), SuccessCount(1, of: 3)])
    #expect(found.map { CalibrationVerdict.Order($0).answer } == [.mostly, .mostly, .no])
    let difference = try #require(found[0].difference)
    #expect(abs(difference - (0.1 - 0.05) / 2) < 1e-6)
  }

  @Test("weights are means of 1/σ²; levels that were not measured are assumed cautiously")
  func weights() throws {
    func law(_ a: Double) -> NoiseParameters {
      NoiseParameters(bias: 0, biasSlope: 0, constant: a * a, proportional: 0, outlierShare: 0)
    }
    let all = try #require(ConfidenceWeights([law(0.04), law(0.02), law(0.01)], bins: [1, 2, 20]))
    #expect(
      zip(all.weights, [0.0625, 0.25, 1]).allSatisfy { abs($0 - $1) < 1e-12 } && all.unmeasured.isEmpty)
    let best = try #require(ConfidenceWeights([nil, nil, law(0.01)], bins: [1]))
    #expect(best.weights == [0, 0, 1] && best.unmeasured == [0, 1])
    #expect(best.laws == Array(repeating: RangeLaw(a: 0.01, b: 0), count: 3))
    let worst = try #require(ConfidenceWeights([law(0.04), nil, nil], bins: [1]))
    #expect(worst.weights == [1, 1, 1])
    #expect(ConfidenceWeights([nil, nil, nil], bins: [1]) == nil)
    for found in [all, best, worst] {
      #expect(Calibration(confidenceWeights: found.weights, noise: found.laws).firstProblem == nil)
    }
  }

  @Test("a bias counts from a quarter of the error on, where its interval leaves out zero")
  func bias() {
    func isBiased(_ value: Double, _ low: Double? = nil, _ high: Double? = nil) -> Bool {
      LevelError.isBiased(CalibrationVerdict.Estimate(value, low, high), mae: 0.04)
    }
    #expect(isBiased(0.01) && isBiased(-0.01) && !isBiased(0.0099))
    #expect(isBiased(-0.02, -0.03, -0.01) && isBiased(0.02, 0.01, 0.03) && !isBiased(0.02, -0.001, 0.04))
    #expect(!LevelError.isBiased(nil, mae: 0.04))
  }

  @Test("errors of levels are compared with the most confident one that has pixels")
  func levelErrors() async throws {
    func frame(_ levels: [UInt8]) -> DepthFrame {
      rowFrame(
        0, truth: Array(repeating: 2, count: levels.count),
        errors: levels.map { [0.4, 0.2, 0.1][Int($0)] }, levels: levels)
    }
    let plan = CalibrationPlan()
    let all = await CalibrationRun(
      [sceneErrors([frame((0..<90).map { UInt8($0 / 30) })])], plan: plan)
    let found = (0...2).compactMap { LevelError($0, all) }
    #expect(found.count == 3 && found[2].ratio == nil && found.allSatisfy(\.isBiased))
    // The histogram's bins are 0.3 % wide.
    #expect(abs((found[1].ratio ?? 0) - 2) < 0.01 && abs((found[0].ratio ?? 0) - 4) < 0.02)
    let fewer = await CalibrationRun(
      [sceneErrors([frame((0..<60).map { UInt8($0 / 30) })])], plan: plan)
    #expect(LevelError(2, fewer) == nil && LevelError(1, fewer)?.ratio == nil)
    #expect(abs((LevelError(0, fewer)?.ratio ?? 0) - 2) < 0.01)
  }

  @Test("one scene is divided into blocks of frames, and says so")
  func oneScene() async {
    let frames = (0..<12).map { index in
      rowFrame(
        index, truth: (0..<60).map { 1 + Float($0) / 30 },
        errors: (0..<60).map { Float(($0 * 7 + index * 3) % 11 - 5) / 1000 },
        levels: Array(repeating: 2, count: 60))
    }
    let run = await CalibrationRun([sceneErrors(frames)], plan: CalibrationPlan())
    #expect(run.units == .frameBlocks && run.unitCount == 10)
    #expect(run.table.row(level: 2)?.interval(.mae) != nil)
    #expect(run.checks.first?.judged == .otherFrames)
    let single = await CalibrationRun([sceneErrors([frames[0]])], plan: CalibrationPlan())
    #expect(single.unitCount == 1 && single.table.row(level: 2)?.interval(.mae) == nil)
    #expect(single.checks.first?.judged == .ownData && single.noise(level: 2)?.a == nil)
  }
}

extension CalibrationUnits {
  /// Scenes of level 2 only.
  fileprivate init(simulated clusters: [[ErrorSample]]) {
    self.init(
      kind: .scenes,
      units: clusters.enumerated().map { Unit(name: "scene \($0)", cells: [:], samples: [[], [], $1]) })
  }
}
