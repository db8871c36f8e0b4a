import DepthCore
import DepthFusion
import Foundation
import Testing

@Suite("Binned pairs")
struct BinnedPairsTests {
  /// Depths 0.2–6 m in steps of a quarter, so that many lie exactly on limits; relative map of another resolution.
  private static func frame(seed: UInt64) -> DepthFrame {
    var generator = SplitMix64(seed: seed)
    func unit() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
    let size = RasterSize(width: 40, height: 30)
    let depth = (0..<size.count).map { _ in Float((unit() * 24).rounded() / 4 + (unit() < 0.5 ? 0.2 : 0)) }
    let levels = (0..<size.count).map { _ in UInt8(unit() * 3) }
    let relative = (0..<(61 * 47)).map { _ in Float(unit() < 0.02 ? -1 : 0.1 + unit()) }
    return DepthFrame(
      index: 0, lidar: DepthMap(width: 40, height: 30, values: depth),
      confidence: Raster(width: 40, height: 30, values: levels),
      relative: DepthMap(width: 61, height: 47, values: relative))
  }

  private static let limits = [0, 0.1, 0.2, 0.5, 1.25, 3, 4, 6, 50]

  @Test(
    "the lines of the pairs themselves, under every pair of limits",
    arguments: [Estimator.ols, .wls], Space.allCases)
  func sameLines(_ estimator: Estimator, _ space: Space) throws {
    let frame = Self.frame(seed: 3)
    var options = FusionOptions()
    options.positionMapping = .corners
    let pairs = try #require(CandidatePairs(frame, estimator: estimator, space: space, options: options))
    let binned = BinnedPairs(pairs, limits: Self.limits)
    var compared = 0
    for least in 0...2 {
      for near in Self.limits {
        for far in Self.limits where far > near {
          (options.minConfidence, options.minDepth, options.maxDepth) = (UInt8(least), near, far)
          var generator = SplitMix64(seed: 1)
          let whole = FittedFusion(estimator, in: space).fuse(
            frame, in: FusionContext(options: options), using: &generator)
          let count = binned.count(minConfidence: UInt8(least), minDepth: near, maxDepth: far)
          #expect(count == whole.pairs)
          let fit = try? binned.fit(
            minConfidence: UInt8(least), minDepth: near, maxDepth: far, minPairs: options.minPairs)
          #expect((fit == nil) == (whole.line == nil))
          guard let fit, let line = whole.line else { continue }
          #expect(abs(fit.line.scale - line.scale) <= 1e-9 * abs(line.scale))
          #expect(abs(fit.line.shift - line.shift) <= 1e-9 * abs(line.shift))
          #expect(fit.inliers == whole.inliers)
          compared += 1
        }
      }
    }
    #expect(compared > 50)
  }

  @Test("a flat wall keeps its slope: moments are about their own means")
  func flatWall() throws {
    let count = 4096
    let relative = (0..<count).map { Float(1000 + 0.1 * Double($0) / Double(count)) }
    let depth = relative.map { Float(2 + 3 * (Double($0) - 1000)) }
    let frame = DepthFrame(
      index: 0, lidar: DepthMap(width: 64, height: 64, values: depth),
      relative: DepthMap(width: 64, height: 64, values: relative))
    let pairs = try #require(
      CandidatePairs(frame, estimator: .ols, space: .depth, options: FusionOptions()))
    // Many bins across the wall's 0.3 m.
    let limits = [0.1, 4] + (0...20).map { 2 + 0.015 * Double($0) }
    let fit = try BinnedPairs(pairs, limits: limits).fit(
      minConfidence: 2, minDepth: 0.1, maxDepth: 4, minPairs: 20)
    let direct = try Estimator.ols.fit(
      pairs.problem(minConfidence: 2, minDepth: 0.1, maxDepth: 4), FusionOptions(), &Self.unused)
    #expect(abs(fit.line.scale - direct.line.scale) <= 1e-9 * abs(direct.line.scale))
    #expect(abs(fit.line.scale - 3) < 0.01)
  }

  private static var unused: SplitMix64 {
    get { SplitMix64(seed: 0) }
    set { _ = newValue }
  }
}
