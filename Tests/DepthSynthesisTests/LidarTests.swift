import DepthCore
import Testing

@testable import DepthSynthesis

/// Small pictures, full LiDAR: what these tests need, at a tenth of the time.
func reduced(_ preset: SynthesisPreset, scenes: Int, frames: Int) -> SynthesisOptions {
  var options = preset.options
  (options.sceneCount, options.framesPerScene) = (scenes, frames)
  options.truthSize = RasterSize(width: 256, height: 192)
  options.relativeSize = RasterSize(width: 130, height: 98)
  options.colourSize = RasterSize(width: 40, height: 30)
  return options
}

@Suite("Simulated LiDAR")
struct LidarTests {
  private static let stage = SceneStage(named: "room-02", options: SynthesisPreset.demo.options)
  private static let exposures = [0, 5].map { stage.exposure($0) }

  @Test(
    "shares are as asked, and each level's median relative error is a real phone's",
    arguments: [
      ConfidenceShares.fused, .phone, ConfidenceShares(high: 0.7, medium: 0.2, low: 0.1),
    ])
  func levels(shares: ConfidenceShares) {
    var options = SynthesisPreset.demo.options
    options.levelShares = shares
    let model = LidarModel(
      calibratedOn: Self.exposures.flatMap { $0.samples(stride: 5) }, options: options)
    var errors: [[Double]] = [[], [], []]
    for (index, exposure) in Self.exposures.enumerated() {
      var generator = SplitMix64(seed: UInt64(index))
      let (depth, confidence) = model.maps(exposure, highConfidenceReturns: nil, using: &generator)
      for (pixel, exact) in exposure.view.exact.enumerated() {
        errors[Int(confidence.values[pixel])].append(abs(Double(depth.values[pixel]) - exact) / exact)
      }
    }
    let total = Double(errors.map(\.count).reduce(0, +))
    // Quantiles learnt from a fifth of the pixels: about 0.2 % of sampling error.
    for (level, share) in [(2, shares.high), (1, shares.medium), (0, shares.low)] {
      #expect(abs(Double(errors[level].count) / total - share) < 0.01)
      let expected = ConfidenceModel.medianErrors[level]
      #expect(abs(median(errors[level]) / expected - 1) < 0.15, "level \(level)")
    }
  }

  @Test("depth comes in steps of 1 mm, and every pixel has a return")
  func millimetres() {
    let frame = SyntheticScene(options: reduced(.demo, scenes: 1, frames: 1), index: 0).frame(0)
    let depth = frame.lidar.values
    #expect(depth.allSatisfy { $0 > 0 && $0 == Float((Double($0) * 1000).rounded() / 1000) })
  }

  @Test("errors are correlated between spots, and flying pixels hang at depth steps")
  func structure() {
    let exposure = Self.exposures[0]
    let (noise, width) = (exposure.noise, exposure.view.size.width)
    let near = noise.indices.dropLast(2).map { (noise[$0], noise[$0 + 2]) }
    let far = noise.indices.dropLast(24 * width).map { (noise[$0], noise[$0 + 24 * width]) }
    #expect(lineFit(near.map(\.0), near.map(\.1)).correlation > 0.6)
    #expect(abs(lineFit(far.map(\.0), far.map(\.1)).correlation) < 0.1)
    #expect(abs(noise.map { $0 * $0 }.reduce(0, +) / Double(noise.count) - 1) < 0.15)
    let view = exposure.view
    let flying = view.exact.indices.count { abs(view.smeared[$0] / view.exact[$0] - 1) > 0.03 }
    let share = Double(flying) / Double(noise.count)
    #expect(share > 0.005 && share < 0.1)
  }

  @Test("darker, more oblique, farther or next to a step is harder")
  func hardness() {
    let easy = LidarView.hardness(cosine: 0.9, reflectance: 0.8, range: 2, spread: 0.01)
    #expect(LidarView.hardness(cosine: 0.3, reflectance: 0.8, range: 2, spread: 0.01) > easy)
    #expect(LidarView.hardness(cosine: 0.9, reflectance: 0.1, range: 2, spread: 0.01) > easy)
    #expect(LidarView.hardness(cosine: 0.9, reflectance: 0.8, range: 4, spread: 0.01) > easy)
    #expect(LidarView.hardness(cosine: 0.9, reflectance: 0.8, range: 2, spread: 0.15) > easy)
  }

  @Test("hard pixels are where depth is smeared")
  func smear() {
    let view = Self.exposures[1].view
    let order = view.hardness.indices.sorted { view.hardness[$0] < view.hardness[$1] }
    let half = order.count / 2
    func smear(_ pixels: ArraySlice<Int>) -> Double {
      pixels.map { abs(view.smeared[$0] / view.exact[$0] - 1) }.reduce(0, +) / Double(pixels.count)
    }
    #expect(smear(order[half...]) > 5 * smear(order[..<half]))
  }

  @Test("20 % of the high-confidence returns of `outliers` lie at 0.3–1 m")
  func outliers() throws {
    let options = reduced(.outliers, scenes: 1, frames: 1)
    var without = options
    without.outlierShare = 0
    let clean = SyntheticScene(options: without, index: 0).frame(0)
    let frame = SyntheticScene(options: options, index: 0).frame(0)
    let confidence = try #require(frame.confidence)
    let high = confidence.values.indices.filter { confidence.values[$0] == 2 }
    let replaced = high.filter { frame.lidar.values[$0] != clean.lidar.values[$0] }
    #expect(abs(Double(replaced.count) / Double(high.count) - 0.2) < 0.001)
    #expect(replaced.allSatisfy { (0.3...1).contains(frame.lidar.values[$0]) })
  }
}
