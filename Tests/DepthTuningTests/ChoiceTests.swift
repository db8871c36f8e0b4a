import DepthCore
import Testing

@testable import DepthTuning

@Suite("Choice of a configuration")
struct ChoiceTests {
  private static func table(
    _ losses: [[Double]], coverage: [Double]? = nil, changes: [Int]? = nil, floor: Double? = nil,
    worst: Bool = false
  ) -> LossTable {
    let scenes = losses[0].indices.map { "s\($0)" }
    return LossTable(
      scenes: scenes, configurations: Array(losses.indices), losses: losses,
      coverage: losses.indices.map { row in scenes.map { _ in coverage?[row] ?? 1 } },
      changes: changes ?? losses.indices.map { $0 == 0 ? 0 : 1 }, coverageFloor: floor, isWorstScene: worst)
  }

  @Test("the least loss, then the fewest changes within one paired standard error")
  func oneStandardError() throws {
    // Differences to row 1: 1, 1, 1, 5 (mean 2, standard error 1) and 0.1 in every scene (standard error 0).
    let losses = [[3.0, 4, 5, 10], [2, 3, 4, 5], [2.1, 3.1, 4.1, 5.1]]
    let choice = try #require(ConfigurationChoice(Self.table(losses), scenes: [0, 1, 2, 3]))
    #expect(choice.best == 1 && choice.chosen == 1)
    #expect(choice.equivalent == 1)
    // A mean difference of 0.5 with a standard error of 0.5.
    let near = [[2.0, 3, 4, 7], [2, 3, 4, 5]]
    let kept = try #require(ConfigurationChoice(Self.table(near), scenes: [0, 1, 2, 3]))
    #expect(kept.best == 1 && kept.chosen == 0)
    #expect(kept.bestLoss == 3.5 && kept.chosenLoss == 4)
  }

  @Test("the reference is kept where nothing differs")
  func ties() throws {
    let choice = try #require(
      ConfigurationChoice(Self.table([[1, 2], [1, 2], [1, 2]]), scenes: [0, 1]))
    #expect(choice.best == 0 && choice.chosen == 0 && choice.equivalent == 3)
  }

  @Test("a floor of the coverage, and none that reaches it")
  func coverageFloor() throws {
    let losses = [[3.0, 3, 3], [1, 1, 1], [2, 2, 2]]
    let table = Self.table(losses, coverage: [1, 0.5, 0.95], floor: 0.9)
    #expect(try #require(ConfigurationChoice(table, scenes: [0, 1, 2])).chosen == 2)
    let none = Self.table(losses, coverage: [0.8, 0.5, 0.7], floor: 0.9)
    #expect(ConfigurationChoice(none, scenes: [0, 1, 2]) == nil)
    let verdict = TuningVerdict(none, folds: nil, confirmed: none)
    #expect(verdict.reason == .noneCovers && verdict.recommended == SearchGrid.reference)
  }

  @Test("what refuses more than the app's values is not chosen: the raw LiDAR would be judged in its place")
  func refusals() throws {
    let losses = [[3.0, 3, 3], [1, 1, 1], [2, 2, 2]]
    let table = Self.table(losses, coverage: [0.9, 0.2, 0.8995])
    #expect(try #require(ConfigurationChoice(table, scenes: [0, 1, 2])).chosen == 2)
    let asked = Self.table(losses, coverage: [0.9, 0.2, 0.8995], floor: 0.1)
    #expect(try #require(ConfigurationChoice(asked, scenes: [0, 1, 2])).chosen == 1)
    #expect(Self.table(losses, coverage: [0.9, 1, 1], floor: 0.95).referenceCovers == false)
  }

  @Test("the gain is that of the objective, also for the worst scene")
  func worstGain() {
    // The mean falls by 1.5, the worst scene by 1 only.
    let losses = [[4.0, 2, 3, 3, 2, 2], [3, 0, 1, 2, 0, 1]]
    let worst = Self.table(losses, worst: true)
    #expect(NestedValidation(worst, folds: nil, scoredBy: worst).gain.mean == 1)
    let mean = Self.table(losses)
    #expect(NestedValidation(mean, folds: nil, scoredBy: mean).gain.mean == 1.5)
  }

  @Test("the worst scene instead of the mean")
  func worstScene() throws {
    // Row 1 has the better mean, row 2 the better worst scene; jackknife standard errors are small.
    let losses = [[3, 3, 3.0, 3.1], [1, 1, 1, 2.9], [2, 2, 2, 2.1]]
    #expect(try #require(ConfigurationChoice(Self.table(losses), scenes: [0, 1, 2, 3])).best == 1)
    let table = Self.table(losses, worst: true)
    #expect(try #require(ConfigurationChoice(table, scenes: [0, 1, 2, 3])).best == 2)
    #expect(table.loss(of: 1) == 2.9)
  }

  @Test("no choice sees the scene that it is scored on")
  func nested() {
    // In scene 2 row 1 fails; without scene 2 it is the best by far.
    let losses = [[5.0, 5, 5], [1, 1, 50]]
    let nested = NestedValidation(Self.table(losses), folds: nil, scoredBy: Self.table(losses))
    #expect(nested.heldOut.map(\.chosen) == [0, 0, 1])
    #expect(nested.heldOut.map(\.loss) == [5, 5, 50])
    #expect(nested.gain.mean == -15)
    #expect(nested.loss == 20)
  }

  @Test("scenes are held out in parts")
  func folds() {
    let losses = [[2.0, 2, 2, 2, 2, 2], [1, 1, 1, 1, 1, 1]]
    let nested = NestedValidation(Self.table(losses), folds: 3, scoredBy: Self.table(losses))
    #expect(nested.folds == 3)
    #expect(nested.heldOut.allSatisfy { $0.chosen == 1 })
    // More parts than scenes are as many as scenes.
    #expect(NestedValidation(Self.table(losses), folds: 40, scoredBy: Self.table(losses)).folds == 6)
  }

  @Test("Student's interval of a mean, against scipy")
  func interval() throws {
    // scipy.stats.t.interval(0.99, 5, loc=mean, scale=sem) of these six values.
    let gain = PairedGain([0.3, 0.1, 0.5, 0.2, 0.4, 0.9])
    let interval = try #require(gain.interval(0.99))
    #expect(abs(gain.mean - 0.4) < 1e-12)
    #expect(abs((gain.standardError ?? 0) - 0.115_470_053_837_925_15) < 1e-12)
    #expect(abs(interval.lowerBound - -0.065_591_767_393_334_39) < 1e-9)
    #expect(abs(interval.upperBound - 0.865_591_767_393_334_5) < 1e-9)
  }

  @Test("a change is recommended only where the gain is established")
  func verdicts() {
    func verdict(_ gains: [Double]) -> TuningVerdict {
      let table = Self.table([gains.map { 10 + $0 }, gains.map { _ in 10 }])
      return TuningVerdict(table, folds: nil, confirmed: table)
    }
    #expect(verdict([1, 1.1, 0.9, 1, 1.2, 0.8]).reason == .gains)
    #expect(verdict([1, 1.1, 0.9, 1, 1.2, 0.8]).recommended == 1)
    #expect(verdict([1, 1.1, 0.9, 1]).reason == .tooFewScenes)
    #expect(verdict([1, 1.1, 0.9, 1]).recommended == SearchGrid.reference)
    #expect(verdict([1, 0.1, 3, 0.5, 2, 0.1]).reason == .notEstablished)
    #expect(verdict([-1, -1, -1, -1, -1, -1]).reason == .alreadyBest)
    #expect(verdict([0, 0, 0, 0, 0, 0]).reason == .alreadyBest)
  }

  @Test("optimism: the best of noise looks better than it is")
  func optimism() throws {
    var generator = SplitMix64(seed: 11)
    func noise() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + Double(generator.next() >> 11) * 0x1p-53 }
    }
    let losses = (0..<200).map { _ in (0..<8).map { _ in 10 + noise() } }
    let table = Self.table(losses)
    let verdict = TuningVerdict(table, folds: nil, confirmed: table)
    #expect(!verdict.recommendsChange)
    #expect(try #require(verdict.optimism) > 0.2)
  }
}
