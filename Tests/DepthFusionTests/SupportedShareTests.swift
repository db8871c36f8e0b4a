import DepthCore
import Foundation
import Testing

@testable import DepthFusion

@Suite("What the LiDAR supports")
struct SupportedShareTests {
  private static let size = RasterSize(width: 96, height: 72)
  private static let sigma = 0.01

  /// f of flat pixels under independent noise of one percent and a map that errs by `mapError`.
  private func factor(
    assumed: Double = sigma, share: Float = 1, correlation: Double = 2, mapError: (Int) -> Double
  ) -> Float {
    var generator = SplitMix64(seed: 5)
    var ratio = DepthMap(width: Self.size.width, height: Self.size.height, filledWith: 0)
    for i in ratio.values.indices {
      ratio.values[i] = Float(Self.sigma * generator.nextNormal() - mapError(i))
    }
    let count = ratio.values.count
    let deviation = [Float](repeating: Float(assumed), count: count)
    let lidar = DepthMap(width: Self.size.width, height: Self.size.height, filledWith: 2)
    let strata = SupportedShare.Strata(nil, range: [Float](repeating: 0, count: count), deviation)
    return SupportedShare(
      DepthMap(width: Self.size.width, height: Self.size.height, filledWith: share), logRatio: ratio, lidar,
      deviation, strata, correlation: correlation
    ) { _ in true }[0]
  }

  @Test("an exact map is supported nearly in full, one that errs as much as the LiDAR by half")
  func smallErrors() {
    #expect(factor { _ in 0 } > 0.9)
    // σ²/(σ² + 0.01²): the map errs by one percent everywhere, in turn to both sides.
    #expect(abs(factor { $0 % 2 == 0 ? 0.01 : -0.01 } - 0.5) < 0.1)
    // The share that a mean of inverse variances has is right as it is.
    #expect(factor(share: 0.5) { $0 % 2 == 0 ? 0.01 : -0.01 } > 0.9)
  }

  @Test("a map that is good in most places and far off in a few is not supported")
  func rareErrors() {
    // 12 % in one of fifty pixels: the median knows nothing of them.
    #expect(factor { $0 % 50 == 0 ? 0.12 : 0 } < 0.3)
    #expect(factor { $0 % 50 == 0 ? 0.4 : 0 } == 0)
  }

  @Test("noise that is thought too small supports less, never more")
  func assumedNoise() {
    let (right, small) = (factor { _ in 0 }, factor(assumed: 0.005) { _ in 0 })
    #expect(small < right && small < 0.3)
    #expect(factor(assumed: 0.02) { _ in 0 } == 1)
  }

  @Test("depth steps are judged apart from the rest, each confidence by itself")
  func strata() {
    let strata = SupportedShare.Strata(
      [0, 1, 2, 3, 2], range: [0.5, 0, 0, 0.2, 0.09], [0.1, 0.02, 0.005, 0.005, 0.005])
    // A range of 0.5 is noise at ten percent.
    #expect((0..<5).map { strata[$0] } == [0, 2, 4, 5, 4])
  }

  @Test("beside depth steps a soft map leaves a sharp LiDAR alone, and away from them it steadies it")
  func softEdges() throws {
    var scene = LocalScene()
    (scene.lidarNoise, scene.distortion) = (0.006, 0)
    var frame = scene.frame(seed: 3)
    let relative = try #require(frame.relative)
    // A mean over 7×7 pixels of the network's map: its edge is as wide as three LiDAR pixels.
    for row in 0..<relative.height {
      for column in 0..<relative.width {
        let rows = max(0, row - 3)...min(relative.height - 1, row + 3)
        let columns = max(0, column - 3)...min(relative.width - 1, column + 3)
        let sum = rows.reduce(Float(0)) { sum, r in
          columns.reduce(sum) { $0 + relative[r, $1] }
        }
        frame.relative?[row, column] = sum / Float(rows.count * columns.count)
      }
    }
    let truth = try #require(frame.truth)
    let raw = try #require(LocalScene.fuse(RawLiDAR(.bilinear), frame).prediction?.depth)
    let result = LocalScene.fuse(AutoFusion(), frame)
    let map = try #require(result.prediction?.depth)
    func rootMeanSquare(_ map: DepthMap) -> Double {
      var (sum, count) = (0.0, 0.0)
      BilinearSampler(source: truth.size, target: map.size).forEachSample(of: map) { index, depth in
        let error = depth / Double(truth.values[index]) - 1
        sum += error * error
        count += 1
      }
      return (sum / count).squareRoot()
    }
    #expect(LocalScene.error(map, truth) < 0.9 * LocalScene.error(raw, truth), "\(result.reason ?? "")")
    #expect(rootMeanSquare(map) < 1.005 * rootMeanSquare(raw), "\(result.reason ?? "")")
  }

  @Test("models give at single pixels what they give in their map", arguments: LocalFusion.all.map(\.id))
  func singlePixels(_ id: String) throws {
    let method = try #require(LocalFusion.all.first { $0.id == id })
    var scene = LocalScene()
    scene.lidarNoise = 0.004
    let frame = scene.frame()
    let options = FusionOptions()
    let anchors = LidarAnchors(frame, relative: try #require(frame.relative), options: options)
    let line = try AnchorLine.fit(anchors, in: .disparity, options).line
    let model = method.estimator.fit(anchors, line, .disparity, options)
    let whole = model.apply(to: anchors.relative)
    let pixels: [Int32] = [5, 4000, 17, 6900, 3333]
    for (pixel, depth) in zip(pixels, model.depths(of: anchors.relative, at: pixels)) {
      #expect(abs(depth / whole.values[Int(pixel)] - 1) < 1e-6)
    }
  }
}
