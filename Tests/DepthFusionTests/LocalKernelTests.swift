import CFathomKernels
import DepthCore
import Foundation
import Testing

@testable import DepthFusion

@Suite("Kernels of the local and temporal methods, against their definitions")
struct LocalKernelTests {
  /// Numbers with holes, in a raster whose sides are not multiples of a vector.
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

  @Test("the second set of folds leaves out what the first keeps, and every anchor is held out once")
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

  /// |found − exact| in units of the last place of the exact value's nearest single.
  private func units(_ found: Float, _ exact: Double) -> Double {
    abs(Double(found) - exact) / Double(Float(abs(exact)).ulp)
  }

  @Test("logarithms are within one unit of the last place, and NaN of what is not a positive number")
  func logarithms() {
    var generator = SplitMix64(seed: 5)
    for spread in [0.01, 1, 60] {
      let values = (0..<20_000).map { _ in Float(exp(Double.random(in: -spread...spread, using: &generator)))
      }
      var found = values
      log_values(values, values.count, &found)
      let worst = zip(values, found).reduce(0) { max($0, units($1.1, Foundation.log(Double($1.0)))) }
      #expect(worst < 1)
    }
    let others: [Float] = [0, -1, .nan, .infinity, -.infinity]
    var found = others
    log_values(others, others.count, &found)
    #expect(!found.contains { !$0.isNaN })
    let (depths, maps): ([Float], [Float]) = ([3, 2, .nan, 1], [3, 4, 1, 0])
    log_ratios(depths, maps, 4, &found)
    #expect(found[0] == 0)
    #expect(abs(found[1] + 0.6931472) < 1e-6)
    #expect(found[2].isNaN && found[3].isNaN)
  }

  @Test("exponentials are within one unit of the last place, and results within their limits")
  func exponentials() {
    var generator = SplitMix64(seed: 6)
    for spread in [0.01, 1, 75] {
      let logs = (0..<20_000).map { _ in Double.random(in: -spread...spread, using: &generator) }
      var found = [Float](repeating: 1, count: logs.count)
      scale_by_exponentials(logs, logs.count, 0, .infinity, &found)
      let worst = zip(logs, found).reduce(0) { max($0, units($1.1, exp(Double(Float($1.0))))) }
      #expect(worst < 1)
    }
    var found: [Float] = [1, 1, 1, .nan, 2]
    let logs: [Double] = [.infinity, -.infinity, .nan, 0, 0]
    scale_by_exponentials(logs, 5, 0.1, 20, &found)
    #expect(found[0] == 20)
    #expect(found[1] == 0.1)
    #expect(found[2].isNaN && found[3].isNaN)
    #expect(found[4] == 2)
  }

  @Test(
    "a return continues a surface by the pixels beside it, to the raster's edges",
    arguments: [1, 2, 3, 5, 300])
  func straightSurface(width: Int) {
    var generator = SplitMix64(seed: UInt64(width))
    let height = 7
    let depths = (0..<(width * height)).map { _ in
      Int.random(in: 0..<20, using: &generator) == 0
        ? Float.nan : Float.random(in: 1...1.02, using: &generator)
    }
    let surface = StraightSurface(
      DepthMap(width: width, height: height, values: depths), depths.map { _ in 0.001 })
    for row in 0..<height {
      for column in 0..<width {
        func straight(_ dx: Int, _ dy: Int) -> Bool {
          guard 0..<width ~= column + 2 * dx, 0..<height ~= row + 2 * dy else { return false }
          let near = [0, 1, 2].map { 1 / depths[(row + $0 * dy) * width + column + $0 * dx] }
          return abs(near[0] - 2 * near[1] + near[2]) <= 7.35 * 0.001 * near[0]
        }
        let expected = (straight(-1, 0) || straight(1, 0)) && (straight(0, -1) || straight(0, 1))
        #expect(surface.continues(at: row * width + column) == expected, "row \(row), column \(column)")
      }
    }
  }

  @Test("eight sums of a cell are blurred as each alone", arguments: [1, 3, 8, 21])
  func blurredMoments(width: Int) {
    var generator = SplitMix64(seed: UInt64(width))
    let height = 5
    let count = width * height
    let sums = (0..<(8 * count)).map { _ in Double.random(in: 0...1, using: &generator) }
    let (across, down) = ([0.4, 0.2, 0.1], [0.5, 0.15, 0.1, 0.05])
    var (all, room) = (sums, sums)
    cells_blur_moments(sums, width, height, across, across.count, down, down.count, &room, &all)
    var spare = [Double](repeating: 0, count: cells_blur_room(width, height, across.count))
    for moment in 0..<8 {
      var one = [Double](repeating: 0, count: count)
      cells_blur(
        (0..<count).map { sums[8 * $0 + moment] }, width, height, across, across.count, down, down.count,
        &spare,
        &one)
      #expect(one == (0..<count).map { all[8 * $0 + moment] })
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
