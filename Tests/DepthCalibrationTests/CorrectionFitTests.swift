import DepthCore
import DepthFusion
import Testing

@testable import DepthCalibration

@Suite("Scale and offset of the LiDAR")
struct CorrectionFitTests {
  /// measured = (true − offset)/scale + noise, with a false return now and then, and scenes that differ a little.
  private func clusters(
    _ count: Int, scale: Double, offset: Double, seed: UInt64, outliers: Double = 0.03
  ) -> [[ErrorSample]] {
    var generator = SplitMix64(seed: seed)
    func normal() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
    }
    return (0..<count).map { _ in
      let own = 1 + 0.0005 * normal()
      return (0..<800).map { _ in
        let depth = Double.random(in: 0.5..<4.5, using: &generator)
        let isFalse = Double.random(in: 0..<1, using: &generator) < outliers
        let measured = (depth - offset) / scale * own + 0.006 * depth * normal()
        return ErrorSample(depth: depth, error: (isFalse ? 0.4 : measured) - depth)
      }
    }
  }

  private func fit(_ clusters: [[ErrorSample]], scenes: Bool = true, independent: Bool = true)
    -> CorrectionFit?
  {
    CorrectionFit(clusters: clusters, areScenes: scenes, truthIsIndependent: independent)
  }

  @Test("a known correction is found and recommended", arguments: [UInt64(1), 2, 3])
  func known(_ seed: UInt64) throws {
    let found = try #require(fit(clusters(8, scale: 1.02, offset: -0.012, seed: seed)))
    #expect(found.verdict == .recommended && found.recommended == found.correction)
    // Some standard errors of the scenes' own scales, and the few false returns that pull at a Huber fit.
    #expect(abs(found.correction.scale - 1.02) < 0.002 && abs(found.correction.offset + 0.012) < 0.003)
    #expect(try #require(found.scaleInterval).low > 1.01 && (found.pValue ?? 1) < 0.001)
  }

  @Test(
    "without outliers intervals of 95 % hold the truth in about 95 of 100 data sets, and few are corrected in vain"
  )
  func coverage() throws {
    var (held, corrected) = (0, 0)
    for seed in UInt64(100)..<200 {
      let found = try #require(fit(clusters(6, scale: 1, offset: 0, seed: seed, outliers: 0)))
      if try #require(found.scaleInterval).contains(1) { held += 1 }
      if found.verdict == .recommended { corrected += 1 }
    }
    // Binomial with p = 0.95 and 0.05: outside these with a probability below 0.01.
    #expect(held >= 88 && corrected <= 12, "\(held) held, \(corrected) corrected")
  }

  @Test("what cannot be known is not corrected")
  func limits() throws {
    let wrong = clusters(8, scale: 1.05, offset: 0.02, seed: 4)
    #expect(try #require(fit(wrong, independent: false)).verdict == .sharedTruth)
    #expect(try #require(fit(wrong, scenes: false)).verdict == .tooFewScenes)
    let few = try #require(fit(Array(wrong.prefix(3))))
    #expect(few.verdict == .tooFewScenes && few.recommended == .identity)
    let one = try #require(fit(Array(wrong.prefix(1))))
    #expect(one.scaleInterval == nil && one.pValue == nil && abs(one.correction.scale - 1.05) < 0.01)
    #expect(fit([Array(wrong[0].prefix(20))]) == nil)
    // One depth alone does not tell a scale from an offset.
    #expect(fit([(0..<100).map { _ in ErrorSample(depth: 2, error: 0.01) }]) == nil)
  }
}
