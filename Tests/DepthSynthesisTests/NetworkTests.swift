import DepthFusion
import Testing

@testable import DepthSynthesis

@Suite("Simulated network")
struct NetworkTests {
  /// A frame of a scene whose network gives `network`, with truth at the map's own resolution.
  private func frame(_ network: SyntheticNetwork, distortion: Double = 0.07, noise: Double = 0.004)
    -> DepthFrame
  {
    var options = reduced(.demo, scenes: 1, frames: 2)
    options.networks = [network]
    (options.distortion, options.networkNoise) = (distortion, noise)
    options.truthSize = options.relativeSize
    return SyntheticScene(options: options, index: 0).frame(1)
  }

  private func fit(_ frame: DepthFrame, inverse: Bool) throws -> (
    slope: Double, intercept: Double, correlation: Double
  ) {
    let (truth, relative) = (try #require(frame.truth), try #require(frame.relative))
    return lineFit(
      relative.values.map(Double.init), truth.values.map { inverse ? 1 / Double($0) : Double($0) })
  }

  @Test("disparity maps are affine in 1/d, depth maps in d", arguments: SyntheticNetwork.allCases)
  func affine(network: SyntheticNetwork) throws {
    let frame = frame(network)
    let own = try fit(frame, inverse: network.kind == .disparity)
    let other = try fit(frame, inverse: network.kind != .disparity)
    #expect(own.slope > 0 && other.slope < 0)
    #expect(own.correlation > 0.98)
    #expect(own.correlation > abs(other.correlation))
    #expect(frame.relative?.values.allSatisfy { $0 > 0 && $0.isFinite } == true)
  }

  @Test("without distortion and noise only the soft edges are left")
  func edges() throws {
    let frame = frame(.disparity, distortion: 0, noise: 0)
    let (truth, relative) = (try #require(frame.truth), try #require(frame.relative))
    let line = try fit(frame, inverse: true)
    let away = awayFromSteps(truth, radius: 4)
    let errors = truth.values.indices.filter { away[$0] }.map {
      abs(1 / (line.slope * Double(relative.values[$0]) + line.intercept) / Double(truth.values[$0]) - 1)
    }
    // Blurring leaves 1/d of a plane, which is affine in the image, as it is; creases are rounded.
    #expect(median(errors) < 0.005)
  }

  @Test("the Core ML form ends at 1")
  func normalised() {
    #expect(frame(.normalisedDisparity).relative?.values.max() == 1)
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
