import FathomStatistics
import Testing

@testable import DepthEvaluation
@testable import DepthVerdicts

@Suite("Uncertainty where the truth is not exact")
struct MethodBudgetTests {
  /// Frames of one scene each, whose mean square errors are these, square millimetres.
  private func budget(
    _ squares: [Double], _ deviation: TruthDeviation, _ column: MetricColumn = .rmse,
    mode: AggregationMode = .scene, isFitted: Bool = false
  ) -> MethodBudget? {
    let frames = squares.enumerated().map { index, square in
      (
        scene: "room-\(index)",
        moments: TruthMoments(
          count: 100, bias: 0.001 * Double(index), square: square * 1e-6, range: 2, rangeSquare: 4,
          errorTimesRange: 0.002 * Double(index))
      )
    }
    var bootstrap = SceneBootstrap(seed: 0)
    return MethodBudget(
      "stored:net", CorrectedErrors(frames, column, deviation, mode, isFitted: isFitted), deviation,
      &bootstrap)
  }

  private func isNear(_ value: Double?, _ expected: Double) -> Bool {
    value.map { abs($0 - expected) < 1e-6 * abs(expected) } ?? false
  }

  @Test("Noise is taken out frame by frame, by hand")
  func noise() throws {
    // 25 − 9, 25 − 9, 34 − 9, 45 − 9: roots 4, 4, 5 and 6 mm.
    let found = try #require(budget([25, 25, 34, 45], TruthDeviation(noise: 0.003)))
    #expect(isNear(found.estimate, 4.75e-3))
    let measured = [25.0, 25, 34, 45].map { $0.squareRoot() / 4 }.reduce(0, +)
    #expect(isNear(found.uncorrected, measured * 1e-3))
    let parts = try #require(found.budget).components
    #expect(parts.map(\.name) == ["sampling of scenes", "truth noise"])
    #expect(isNear(parts[0].standardUncertainty, (2.75 / 3 / 4).squareRoot() * 1e-3))
    #expect(
      isNear(parts[1].standardUncertainty, (9.0 / 400 * (1 + 9 / (2 * 4.75 * 4.75))).squareRoot() * 1e-3))
    #expect(found.low != nil && found.framesExplained == 0)
    // The same noise as a share of the depth: 0.15 % of 2 m.
    let relative = try #require(budget([25, 25, 34, 45], TruthDeviation(relativeNoise: 0.0015)))
    #expect(isNear(relative.estimate, 4.75e-3))
    // All pixels in one mean: √(93/4).
    let pooled = try #require(budget([25, 25, 34, 45], TruthDeviation(noise: 0.003), mode: .pooled))
    #expect(isNear(pooled.estimate, 23.25.squareRoot() * 1e-3))
  }

  @Test("Noise that explains all of a scene leaves no estimate; few scenes have no budget")
  func refused() throws {
    let explained = try #require(budget([25, 8, 34, 45], TruthDeviation(noise: 0.003)))
    #expect(explained.estimate == nil && explained.budget == nil && explained.framesExplained == 1)
    let few = try #require(budget([25, 25, 34], TruthDeviation(noise: 0.003)))
    #expect(few.estimate != nil && few.budget == nil)
  }

  @Test("A bias changes with the truth's scale by the mean range, and by all of a step")
  func bias() throws {
    let found = try #require(budget([25, 25, 34, 45], TruthDeviation(scale: 0.01, step: 0.001), .bias))
    let parts = try #require(found.budget).components
    #expect(isNear(found.estimate, 1.5e-3) && found.estimate == found.uncorrected)
    #expect(parts.map(\.name) == ["sampling of scenes", "truth scale", "truth resolution"])
    #expect(isNear(parts[1].sensitivity, 2) && isNear(parts[1].contribution, 0.02))
    #expect(isNear(parts[2].contribution, 0.001 / 12.0.squareRoot()))
  }

  @Test("What is fitted to the truth takes its scale over")
  func fitted() throws {
    let found = try #require(budget([25, 25, 36, 49], TruthDeviation(scale: 0.01), isFitted: true))
    #expect(isNear(found.estimate, 5.75e-3))
    #expect(isNear(found.budget?.components[1].sensitivity, 5.75e-3))
  }

  @Test("Deviations are read as they are written")
  func words() {
    let all = TruthDeviation.reading("0.002m,0.5%,scale=1%,step=1mm")
    #expect(all == TruthDeviation(noise: 0.002, relativeNoise: 0.005, scale: 0.01, step: 0.001))
    #expect(TruthDeviation.reading(all?.typed ?? "") == all)
    #expect(TruthDeviation.reading("2mm") == TruthDeviation(noise: 0.002))
    for text in [
      "", "2", "0m", "-1mm", "1mm,2mm", "scale=1mm", "step=1%", "bias=1mm", "1%,", "nanm", "scale=1%=2%",
    ] {
      #expect(TruthDeviation.reading(text) == nil, "\(text)")
    }
  }
}
