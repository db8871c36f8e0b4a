import FathomStatistics
import Testing

@Suite("Budgets and decisions")
struct UncertaintyBudgetTests {
  @Test("factors of Student's t and of a normal distribution")
  func factors() {
    let known = UncertaintyBudget([.init("scale", 0.01, .normal, sensitivity: -2)])
    #expect(known.combined == 0.02 && known.freedom == nil)
    #expect(abs(known.coverageFactor - 1.959963984540054) < 1e-9)
    let sampled = UncertaintyBudget([.init("scenes", 2, .student, freedom: 3)])
    #expect(abs(sampled.expanded - 2 * 3.182446305283709) < 1e-9)
    #expect(UncertaintyBudget([]).expanded == 0)
  }

  @Test("the end gauge of the GUM, example H.1: u = 32 nm, 16.8 degrees of freedom, U = 93 nm at 99 %")
  func endGauge() {
    let budget = UncertaintyBudget(
      [
        .init("standard", 25, .student, freedom: 18), .init("difference", 9.7, .student, freedom: 25.6),
        .init("expansion", 2.9, .uniform, freedom: 50), .init("temperature", 16.6, .uniform, freedom: 2),
      ], coverage: 0.99)
    #expect(abs(budget.combined - 31.7) < 0.05)
    #expect(abs((budget.freedom ?? 0) - 16.76) < 0.01)
    // The GUM takes 16 degrees of freedom: 2.92; these are 16.8.
    #expect(abs(budget.coverageFactor - 2.903) < 0.01 && abs(budget.expanded - 92) < 1)
    #expect(abs(budget.components.reduce(0) { $0 + budget.share(of: $1) } - 1) < 1e-12)
  }

  @Test("a sensitivity multiplies, and components that are known exactly leave a normal distribution")
  func exact() {
    let budget = UncertaintyBudget([
      .init("a", 3, .normal, sensitivity: -1), .init("b", 2, .normal, sensitivity: 2),
    ])
    #expect(budget.combined == 5 && budget.freedom == nil)
    #expect(abs(budget.expanded - 5 * 1.959963984540054) < 1e-9)
  }

  @Test(
    "an error within, beyond and at a limit of 10 with U = 1.96",
    arguments: [
      (0.0, ConformityDecision.Outcome.conforms, 1.0), (-8.0, .conforms, 0.977249868),
      (9.0, .undecided, 0.841344746),
      (10.0, .undecided, 0.5), (-12.0, .doesNotConform, 0.022750132),
    ])
  func decisions(value: Double, outcome: ConformityDecision.Outcome, probability: Double) {
    // With Φ(2) = 0.977249868 and Φ(1) = 0.841344746.
    let decision = ConformityDecision(value, limit: 10, UncertaintyBudget([.init("u", 1, .normal)]))
    let isNear = abs(value) <= 10 - decision.guardBand
    #expect(decision.outcome == outcome && isNear == (outcome == .conforms))
    #expect(abs(decision.probability - probability) < 1e-8)
  }

  /// Four inputs that are added up, as JCGM 101:2008 has them in 9.2.2 to 9.2.4: the interval of its trials, and whether the GUM's is confirmed
  /// at two digits of U.
  @Test(
    "the additive models of JCGM 101",
    arguments: [
      (UncertaintyBudget.Distribution.normal, 1.0, 3.92, 0.05, true), (.uniform, 1, 3.88, 0.05, true),
      (.uniform, 10, 17.0, 0.5, false),
    ])
  func additive(
    distribution: UncertaintyBudget.Distribution, last: Double, end: Double, tolerance: Double, agrees: Bool
  ) throws {
    let budget = UncertaintyBudget([1, 1, 1, last].map { .init("x", $0, distribution) })
    let check = try #require(
      MonteCarloCheck.checks([(5, budget)], inputs: budget.components) { draws, results in
        results[0] = 5 + draws.reduce(0, +)
      }.first)
    #expect(abs(check.low - 5 + end) < 0.05 && abs(check.high - 5 - end) < 0.05)
    #expect(abs(check.tolerance - tolerance) < 1e-12 && check.agrees == agrees)
    #expect((0.001...0.03).contains(check.deviation / budget.combined) && check.trials == 200_000)
  }

  @Test("Student's t is drawn for any number of degrees of freedom", arguments: [1.0, 2.5, 30])
  func student(freedom: Double) throws {
    let budget = UncertaintyBudget([.init("x", 0.02, .student, freedom: freedom)])
    let check = try #require(
      MonteCarloCheck.checks([(0, budget)], inputs: budget.components) { $1[0] = $0[0] }.first)
    #expect(abs(check.high / budget.expanded - 1) < 0.03 && abs(check.low / budget.expanded + 1) < 0.03)
    #expect(check.agrees)
  }

  @Test("half a unit of the second digit: 0.0997 is 0.10", arguments: [(0.0997, 0.005), (0.0994, 0.0005)])
  func tolerance(expanded: Double, tolerance: Double) throws {
    let budget = UncertaintyBudget([.init("x", expanded / 1.959963984540054, .normal)])
    let check = try #require(
      MonteCarloCheck.checks([(0, budget)], inputs: budget.components, trials: 200) { $1[0] = $0[0] }.first)
    #expect(abs(check.tolerance - tolerance) < 1e-9)
  }
}
