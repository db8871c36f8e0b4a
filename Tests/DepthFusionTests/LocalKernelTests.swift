import DepthCore
import Foundation
import Testing

@testable import DepthFusion

@Suite("Kernels of the local and temporal methods, against their definitions")
struct LocalKernelTests {
  /// Numbers with holes, in a raster whose sides are no multiples of a vector.
  private func holed(_ seed: UInt64, count: Int) -> [Float] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      Int.random(in: 0..<4, using: &generator) == 0 ? .nan : Float.random(in: -2...2, using: &generator)
    }
  }

  @Test(
    "the range about a pixel is that of the numbers in its window; none where there is none",
    arguments: [(1, 1, 1), (7, 5, 1), (19, 11, 2), (3, 40, 5)])
  func windowRange(_ width: Int, _ height: Int, _ reach: Int) {
    let values = holed(UInt64(width), count: width * height)
    let found = WindowRange.of(values, width: width, reach: reach)
    for row in 0..<height {
      for column in 0..<width {
        let window = (max(0, row - reach)...min(height - 1, row + reach)).flatMap { y in
          (max(0, column - reach)...min(width - 1, column + reach)).map { values[y * width + $0] }
        }.filter { !$0.isNaN }
        let expected = (window.max() ?? .nan) - (window.min() ?? .nan)
        let own = found[row * width + column]
        #expect(own == expected || own.isNaN && expected.isNaN, "row \(row), column \(column)")
      }
    }
  }

  @Test(
    "a frame counts where it agrees within three deviations, with limits; the first depth is what others must agree with"
  )
  func temporalSums() throws {
    var options = TemporalOptions()
    (options.agreement, options.largestDifference) = (0.03, 0.1)
    // Weights 1/σ²: 1 % and 10 %.
    let (sure, vague) = (1e4, 1e2)
    var sums = TemporalSums([2, 2, 2, .nan, 2], weights: [sure, sure, vague, sure, sure])
    let camera = CameraIntrinsics(fx: 5, fy: 5, cx: 2.5, cy: 0.5, imageSize: RasterSize(width: 5, height: 1))
    func frame(_ depths: [Float], _ weight: Double) -> FrameWarp {
      FrameWarp(
        DepthMap(width: 5, height: 1, values: depths), camera, weights: Array(repeating: weight, count: 5),
        to: RasterSize(width: 5, height: 1), camera, targetFromSource: .identity)
    }
    // 5 % differ too much where both are sure, and nothing does up to a tenth where one is vague.
    sums.add(frame([2.05, 2.1, 2.1, 3, .nan], sure), options)
    sums.add(frame([2.04, 2.3, 2.3, 3.3, .nan], vague), options)
    #expect((0..<5).map(sums.frames) == [2, 0, 1, 2, 0])
    let mean = (sure * Double(Float(2.05)) + vague * Double(Float(2.04))) / (sure + vague)
    #expect(abs(sums.mean(0) - mean) < 1e-6)
    #expect(abs(sums.newest(0) - 2.05) < 1e-6 && abs(sums.newest(3) - 3) < 1e-6)
    #expect(sums.mean(1).isNaN && sums.newest(4).isNaN && sums.weight(4) == 0)
  }

  @Test("the second set of folds leaves out what the first keeps, and every anchor is left out once")
  func chessboard() throws {
    let frame = LocalScene().frame()
    let relative = try #require(frame.relative)
    let anchors = LidarAnchors(frame, relative: relative, options: FusionOptions())
    let residuals = HeldOutError(anchors, blockSide: 16).residuals { rest in
      // Says for every pixel whether it was seen: 1 m, or 2 m.
      SeenModel(seen: Set(rest.indices))
    }
    for (k, index) in anchors.indices.enumerated() {
      #expect(abs(residuals[k] - Double(log(anchors.depth[Int(index)] / 2))) < 1e-6)
    }
  }
}

/// 1 m where a pixel was among those fitted, 2 m where it was not.
private struct SeenModel: LocalModel {
  let seen: Set<Int32>

  func apply(to relative: DepthMap, offset: PixelOffset) -> DepthMap { relative }

  func depths(of relative: DepthMap, at indices: [Int32]) -> [Float] {
    indices.map { seen.contains($0) ? 1 : 2 }
  }
}
