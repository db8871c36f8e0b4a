import DepthCore
import Testing

@testable import DepthSynthesis

@Suite("Simulated network")
struct NetworkTests {
  /// The map of a network that looks at a room, with the truth at the map's resolution.
  private func view(
    _ network: SyntheticNetwork, distortion: Double = 0.07, noise: Double = 0.004
  ) -> (relative: DepthMap, truth: DepthMap) {
    var options = SynthesisPreset.demo.options
    (options.distortion, options.networkNoise) = (distortion, noise)
    let stage = SceneStage(named: "room-01", options: options)
    let truth = stage.caster(1, RasterSize(width: 130, height: 98)).depthMap()
    var generator = stage.stream(1, "network")
    return (NetworkModel(network, options: options).map(of: truth, using: &generator), truth)
  }

  private func fit(
    _ view: (relative: DepthMap, truth: DepthMap), inverse: Bool
  ) -> (slope: Double, intercept: Double, correlation: Double) {
    lineFit(
      view.relative.values.map(Double.init),
      view.truth.values.map { inverse ? 1 / Double($0) : Double($0) })
  }

  @Test("disparity maps are affine in 1/d, depth maps in d", arguments: SyntheticNetwork.allCases)
  func affine(network: SyntheticNetwork) {
    let view = view(network)
    let own = fit(view, inverse: network.kind == .disparity)
    let other = fit(view, inverse: network.kind != .disparity)
    #expect(own.slope > 0 && other.slope < 0)
    #expect(own.correlation > 0.98)
    #expect(own.correlation > abs(other.correlation))
    #expect(view.relative.values.allSatisfy { $0 > 0 && $0.isFinite })
  }

  @Test("without distortion and noise only the soft edges are left")
  func edges() {
    let view = view(.disparity, distortion: 0, noise: 0)
    let (relative, truth) = view
    let line = fit(view, inverse: true)
    let away = awayFromSteps(truth, radius: 4)
    let errors = truth.values.indices.filter { away[$0] }.map {
      abs(1 / (line.slope * Double(relative.values[$0]) + line.intercept) / Double(truth.values[$0]) - 1)
    }
    // Blurring leaves 1/d of a plane, which is affine in the image, as it is; creases are rounded.
    #expect(median(errors) < 0.005)
  }

  @Test("the Core ML form ends at 1")
  func normalised() {
    #expect(view(.normalisedDisparity).relative.values.max() == 1)
  }

  @Test("distortion is bounded by its parameter and smooth")
  func distortion() {
    var generator = SplitMix64(seed: 5)
    let values = PlaneWaves(using: &generator).values(RasterSize(width: 130, height: 98))
    #expect(values.allSatisfy { abs($0) <= 1 + 1e-12 })
    #expect((values.max() ?? 0) - (values.min() ?? 0) > 0.5)
    // At most 2.5 cycles across: no more than 2π · 2.5 / 130 per pixel.
    let steps = zip(values, values.dropFirst()).enumerated().filter { $0.offset % 130 != 129 }
      .map { abs($0.element.0 - $0.element.1) }
    #expect((steps.max() ?? 1) < 2 * Double.pi * 2.5 / 130)
  }
}
