import DepthCore
import DepthEvaluation
import DepthFusion
import FathomStatistics
import FathomTestSupport
import Foundation
import Testing

@testable import DepthCalibration

@Suite("Corrections of stated standard deviations")
struct DeviationCorrectionTests {
  /// As Tests/CrossCheck/make_deviation_golden.py makes them.
  struct Golden: Decodable {
    let scenes: Int, coverage: Double, scales: [Double], reserve: Double, before: Double, after: Double
    let deviationBefore: Double, deviationAfter: Double
  }

  /// The scenes of that script.
  private func scenes(_ count: Int) -> [DeviationTally] {
    var generator = SplitMix64(seed: 56)
    func unit() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
    return (0..<count).map { scene in
      let level = exp2(2 * unit() - 1)
      var found = StatedErrors()
      for _ in 0..<360 {
        let (a, b, c) = (unit(), unit(), unit())
        let cell = Int(4 * b), factor = Double(1 + cell)
        found.deviations.append(0.01 * factor)
        found.errors.append(0.01 * factor * level * factor / 2 * (a - 0.5) / (1.02 - c))
        found.levels.append(UInt8(1 + cell / 2))
        found.depths.append(cell % 2 == 0 ? 0.7 : 1.2)
      }
      var tally = DeviationTally("s\(scene)")
      tally.add(found)
      return tally
    }
  }

  @Test("factors, reserve and coverage on unseen scenes are those of numpy")
  func golden() throws {
    let url = PackageFiles.root.appendingPathComponent("Tests/CrossCheck/golden/deviation.json")
    for golden in try JSONDecoder().decode([Golden].self, from: Data(contentsOf: url)) {
      let found = try DeviationCorrection(scenes(golden.scenes), seed: 0)
      #expect(found.coverage == golden.coverage)
      let scales = found.scales(of: "auto")
      #expect(scales.count == (golden.scenes >= 57 ? 5 : 1))
      let cells = [(1, 0.5), (1, 1.0), (2, 0.5), (2, 1.0)]
      for (cell, expected) in zip(cells, golden.scales) {
        let own = scales.first { $0.confidence == cell.0 && $0.from == cell.1 } ?? scales[0]
        #expect(abs(own.scale / expected - 1) < 1e-12)
      }
      let pairs = [
        (found.reserve, golden.reserve), (found.before.value, golden.before),
        (try #require(found.after).value, golden.after),
        (found.deviationBefore.value, golden.deviationBefore),
        (found.deviationAfter.value, golden.deviationAfter),
      ]
      for (value, expected) in pairs { #expect(abs(value / expected - 1) < 1e-12) }
    }
  }

  /// A scene has a scale of its own and every pixel a normal error, so that the coverage of a new scene is known exactly.
  @Test("in 1,000 repetitions a new scene's mean coverage is what is guaranteed, and not much more")
  func coverage() throws {
    var generator = SplitMix64(seed: 7)
    func normal() -> Double {
      NormalDistribution.quantile(max(1e-300, Double(generator.next() >> 11) * 0x1p-53))
    }
    let (scenes, pixels) = (30, 20)
    var held: [Double] = []
    for _ in 0..<1000 {
      let drawn = (0..<scenes).map { _ in
        let scale = exp(0.5 * normal())
        var found = StatedErrors()
        found.errors = (0..<pixels).map { _ in scale * normal() }
        found.deviations = [Double](repeating: 1, count: pixels)
        found.depths = found.deviations
        found.levels = [UInt8](repeating: 2, count: pixels)
        var tally = DeviationTally("")
        tally.add(found)
        return tally
      }
      let fit = try #require(DeviationScaleFit(drawn, coverage: 0.95))
      let limit = fit.scale(nil) * DeviationCorrection.quantile(0.95) / exp(0.5 * normal())
      held.append(2 * NormalDistribution.cumulative(limit) - 1)
    }
    let mean = held.reduce(0, +) / 1000
    let error = (held.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 999 / 1000).squareRoot()
    #expect(mean > 0.95 - 3 * error)
    // Theorem 2 of the same paper, and a step of the grid.
    #expect(mean < 0.95 + 2 / Double(scenes + 1) + 0.005)
  }

  @Test("what scenes can guarantee: 95 % from 19, 90 % from 9, 80 % from 4, and nothing below")
  func counts() throws {
    #expect(DeviationCorrection.coverages.map(DeviationCorrection.fewestScenes) == [19, 9, 4])
    for (count, coverage) in [(19, 0.95), (18, 0.9), (9, 0.9), (8, 0.8), (4, 0.8)] {
      let found = try DeviationCorrection(scenes(count), seed: 0)
      #expect(found.coverage == coverage && (found.after == nil) == [19, 9, 4].contains(count))
    }
    #expect(throws: DeviationCorrection.Obstacle.tooFewScenes(3)) {
      try DeviationCorrection(scenes(3) + [DeviationTally("empty")], seed: 0)
    }
    var wild = StatedErrors()
    (wild.errors, wild.deviations, wild.depths, wild.levels) = ([1], [1e-5], [1], [2])
    var tally = DeviationTally("wild")
    tally.add(wild)
    #expect(throws: DeviationCorrection.Obstacle.noFactor) {
      try DeviationCorrection([tally, tally, tally, tally], seed: 0)
    }
  }
}
