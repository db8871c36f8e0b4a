import DepthCore
import Foundation
import FathomTestSupport
import Testing

@testable import DepthFusion

@Suite("Weights and guards")
struct WeightingTests {
  private func fuse(
    _ estimator: Estimator, _ frame: DepthFrame, _ form: Space = .depth,
    _ change: (inout FusionOptions) -> Void = { _ in }
  ) -> FusionResult {
    var context = FusionContext()
    change(&context.options)
    var generator = SplitMix64(seed: 1)
    return FittedFusion(estimator, in: form).fuse(frame, in: context, using: &generator)
  }

  private func weights(_ form: Space, _ change: (inout FusionOptions) -> Void) -> FitProblem {
    var frame = LineScene.frame(kind: .depth, scale: 1, shift: 0)
    frame.confidence?.values[0] = 1
    var options = FusionOptions()
    change(&options)
    return PairSelection(
      frame, relative: frame.lidar, estimator: .huber, space: form, options: options
    ).problem
  }

  @Test("σ is propagated to the fitting space: σ/d² in disparity, σ/d in log")
  func propagation() throws {
    let law = RangeLaw(a: 0.03, b: 0.04)
    // σ(1 m) = 0.05 m, and at 1 m all spaces agree.
    for form in Space.allCases { #expect(abs(law.weight(at: 1, in: form) - 400) < 1e-9) }
    let step = 1e-6
    for form in Space.allCases {
      for d in [0.3, 2, 3.7] {
        let slope = (form.target(depth: d + step) - form.target(depth: d - step)) / (2 * step)
        let sigma = (0.03 * 0.03 + 0.04 * d * 0.04 * d).squareRoot() * abs(slope)
        #expect(abs(law.weight(at: d, in: form) * sigma * sigma - 1) < 1e-6)
      }
    }
  }

  @Test("each kind of weight reaches the fit")
  func kinds() throws {
    #expect(weights(.depth) { _ in }.weights == nil)
    let confidence = weights(.depth) { $0.weights = .confidence }
    // Confidence 1 is let in where it is the weight.
    #expect(confidence.count == 768 && confidence.weights?[0] == 0.05 && confidence.weights?[1] == 1)
    let range = weights(.disparity) { $0.weights = .range }
    #expect(range.count == 767)
    for (weight, y) in zip(try #require(range.weights), range.y) { #expect(abs(weight * y * y - 1) < 1e-9) }
    let model = NoiseModel(
      noise: [RangeLaw(a: 1, b: 0), RangeLaw(a: 0.5, b: 0), RangeLaw(a: 0.1, b: 0)])
    let calibrated = weights(.depth) {
      $0.weights = .calibration; $0.noiseModel = model
    }
    #expect(abs((calibrated.weights?[0] ?? 0) - 4) < 1e-12 && abs((calibrated.weights?[1] ?? 0) - 100) < 1e-9)
    let none = fuse(.wls, LineScene.frame(kind: .depth, scale: 1, shift: 0)) { $0.weights = PairWeights.none }
    #expect(none.status == .ok && none.reason == nil)
  }

  @Test("every estimator follows the weights that the options ask for", arguments: Estimator.all.map(\.id))
  func followed(_ id: String) throws {
    let estimator = try #require(Estimator.all.first { $0.id == id })
    var frame = LineScene.frame(kind: .depth, scale: 1, shift: 0)
    for i in 0..<500 {
      frame.confidence?.values[i] = 1
      frame.lidar.values[i] *= 1.1
    }
    // Two thirds say 1.1, but count for next to nothing.
    let fitted = fuse(estimator, frame) {
      $0.weights = .confidence
      $0.confidenceWeights = [0, 1e-6, 1]
      $0.inlierThreshold = .metres(0.05)
    }
    #expect(fitted.pairs == 768)
    #expect(abs((fitted.line?.scale ?? 0) - 1) < 1e-3, "\(String(describing: fitted.line))")
  }

  @Test("laws are written as a word or two numbers")
  func laws() {
    #expect(RangeLaw("constant") == .constant)
    #expect(RangeLaw("proportional")?.description == "proportional")
    #expect(RangeLaw("0.005, 0.01") == RangeLaw(a: 0.005, b: 0.01))
    for bad in ["", "1", "0,0", "-1,1", "nan,1", "1,2,3", "linear"] { #expect(RangeLaw(bad) == nil) }
  }

  @Test("guards without a unit reject with a reason")
  func guards() {
    let frame = LineScene.frame(kind: .disparity, scale: 0.5, shift: 0.1)
    #expect(
      fuse(.ols, frame, .disparity) {
        $0.minRankCorrelation = 0.9; $0.minScaleRatio = 0.9
      }.status == .ok)
    #expect(fuse(.ols, frame, .disparity) { $0.maxScaleRatio = 1.1 }.status == .ok)
    let steep = fuse(.ols, frame, .disparity) { $0.minScaleRatio = 1.1 }
    #expect(steep.status == .rejectedScale && steep.prediction == nil)
    #expect(steep.reason?.hasPrefix("scale ratio") == true)
    #expect(fuse(.ols, frame, .disparity) { $0.maxScaleRatio = 0.9 }.status == .rejectedScale)
    var noise = frame
    var generator = SplitMix64(seed: 6)
    noise.relative?.values.shuffle(using: &generator)
    let unrelated = fuse(.ols, noise, .disparity) { $0.minRankCorrelation = 0.5 }
    #expect(unrelated.status == .rejectedScale)
    #expect(unrelated.reason?.hasPrefix("rank correlation") == true)
  }

  @Test("with everything in another unit of depth the map is in that unit", arguments: EstimatorCase.all)
  func unitOfDepth(_ c: EstimatorCase) throws {
    if c.estimator.id == "median-scale" && c.form == .log { return }
    var frame = LineScene.frame(kind: c.form == .disparity ? .disparity : .depth, scale: 0.5, shift: 0.1)
    for i in stride(from: 0, to: 768, by: 7) { frame.lidar.values[i] = 0.5 + 0.003 * Float(i) }
    var doubled = frame
    doubled.lidar.values = frame.lidar.values.map { $0 * 2 }
    func map(_ frame: DepthFrame, _ factor: Double) throws -> [Float] {
      let result = fuse(c.estimator, frame, c.form) {
        $0.weights = .range
        $0.rangeSigma = RangeLaw(a: 0.01 * factor, b: 0.02)
        ($0.minDepth, $0.maxDepth) = ($0.minDepth * factor, $0.maxDepth * factor)
        ($0.clampMin, $0.clampMax) = ($0.clampMin * factor, $0.clampMax * factor)
      }
      return try #require(result.prediction).depth.values
    }
    for (a, b) in zip(try map(frame, 1), try map(doubled, 2)) { #expect(abs(2 * a - b) <= 1e-5 * b) }
  }
}
