import DepthCore
import Foundation
import Testing

@testable import DepthCalibration

@Suite("Drift and flicker of the network's unit")
struct ScaleDriftTests {
  /// A slanted wall whose nearest point comes closer, with a network whose scale is α_t.
  private func frame(_ index: Int, scale: Double, nearest: Double, isNormalised: Bool = false) -> DepthFrame {
    let (width, height) = (32, 24)
    let depth = (0..<width * height).map { Float(nearest + 2.5 * Double($0 % width) / Double(width - 1)) }
    var relative = depth.map { (1 / Double($0) - 0.02) / scale }
    if isNormalised {
      let largest = relative.max() ?? 1
      relative = relative.map { $0 / largest }
    }
    return DepthFrame(
      index: index, lidar: DepthMap(width: width, height: height, values: depth),
      relative: DepthMap(width: width, height: height, values: relative.map(Float.init)))
  }

  private func drift(_ frames: [DepthFrame], interval: Double? = 0.1) throws -> ScaleDrift {
    let scales = try frames.map {
      try #require(
        FrameScale($0, kind: .disparity, seconds: interval.map { [index = $0.index] in $0 * Double(index) }))
    }
    return try #require(ScaleDrift(scene: "wall", kind: .disparity, scales))
  }

  @Test("a scale that grows by 5 % a second drifts by ln 1.05, without flicker")
  func steady() throws {
    let found = try drift((0..<20).map { frame($0, scale: 0.2 * pow(1.05, 0.1 * Double($0)), nearest: 1) })
    let expected = log(1.05)
    #expect(abs(try #require(found.drift) - expected) < 1e-4)
    #expect(try #require(found.interval).low < expected && found.isPerSecond)
    #expect(try #require(found.flicker) < 1e-4)
    // α·max is constant: the maximum falls as the scale grows.
    #expect(try #require(found.correlationWithMaximum) < -0.999)
    #expect(!found.isNormalised)
  }

  @Test("a scale that jumps by ±4 % flickers by that, and does not drift")
  func flicker() throws {
    let signs = [1.0, -1, -1, 1, 1, -1, 1, -1, -1, 1, -1, 1, 1, -1, -1, 1]
    let found = try drift(signs.enumerated().map { frame($0, scale: 0.2 * exp(0.04 * $1), nearest: 1) })
    // Changes of 0 and ±0.08, two thirds of them not 0: the median size is 0.08.
    #expect(abs(try #require(found.flicker) - 1.4826 * 0.08) < 1e-3)
    #expect(try #require(found.interval).contains(0))
  }

  @Test("maps divided by their maximum follow the nearest depth")
  func normalised() throws {
    let found = try drift(
      (0..<12).map { frame($0, scale: 0.2, nearest: 1 + 0.05 * Double($0), isNormalised: true) })
    #expect(found.isNormalised && found.correlationWithMaximum == nil)
    #expect(try #require(found.correlationWithNearest) < -0.99)
    #expect(try #require(found.interval).high < 0)
  }

  @Test("without times the drift is per frame; few frames have none; wrong signs are not counted")
  func few() throws {
    let untimed = try drift(
      (0..<6).map { frame($0, scale: 0.2 * exp(0.01 * Double($0)), nearest: 1) }, interval: nil)
    #expect(!untimed.isPerSecond)
    #expect(abs(try #require(untimed.drift) - 0.01) < 1e-4)
    let short = try drift((0..<3).map { frame($0, scale: 0.2, nearest: 1) })
    #expect(short.drift == nil && short.flicker == nil && short.frames == 3)
    let turned = try drift([frame(0, scale: -0.2, nearest: 1), frame(1, scale: 0.2, nearest: 1)])
    #expect(turned.frames == 2 && turned.fitted == 1)
    #expect(
      FrameScale(
        DepthFrame(index: 0, lidar: DepthMap(width: 1, height: 1, values: [1])), kind: .disparity,
        seconds: nil) == nil)
  }

  @Test("the interval is statsmodels' OLS with HAC covariance and Student's t")
  func trend() throws {
    // sm.OLS(y, sm.add_constant(x)).fit(cov_type="HAC", cov_kwds=dict(maxlags=2, use_correction=True), use_t=True)
    let x = (0..<12).map { 0.5 * Double($0) }
    let y = [0.1, 0.25, 0.2, 0.45, 0.4, 0.35, 0.6, 0.75, 0.7, 0.65, 0.9, 1.05]
    let line = try #require(TrendLine(x, y))
    #expect(abs(line.slope - Self.slope) < 1e-12)
    #expect(abs(line.interval.low - Self.low) < 1e-9 && abs(line.interval.high - Self.high) < 1e-9)
    #expect(TrendLine([1, 1, 1], [1, 2, 3]) == nil)
  }

  private static let (slope, low, high) = (0.1538461538461539, 0.13079416402488875, 0.17689814366741907)
}
