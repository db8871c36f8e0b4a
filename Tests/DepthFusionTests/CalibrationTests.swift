import DepthCore
import Foundation
import Testing

@testable import DepthFusion

@Suite("Calibrations: correction, registration, contradictions")
struct CalibrationTests {
  @Test("a correction changes returns and nothing else")
  func correction() {
    let map = DepthMap(width: 5, height: 1, values: [2, 0, .nan, -1, 0.005])
    let corrected = LidarCorrection(scale: 1.5, offset: -0.01)(map).values
    #expect(corrected[0] == 2.99 && corrected[1] == 0 && corrected[2].isNaN && corrected[3] == -1)
    // 7.5 mm less 10 mm lies behind the camera.
    #expect(corrected[4].isNaN)
    #expect(LidarCorrection.identity(map).values[..<2] == [2, 0])
  }

  @Test(
    "without an offset the table of positions is the same to the last bit",
    arguments: PositionMapping.allCases)
  func zeroOffset(_ mapping: PositionMapping) {
    for (source, target) in [(256, 518), (192, 392), (518, 256), (1, 4)] {
      let plain = AxisTable(source: source, target: target, mapping: mapping)
      let shifted = AxisTable(
        source: source, target: target, mapping: mapping, offset: 0, extendsEdges: false)
      #expect(plain.lower == shifted.lower && plain.upper == shifted.upper && plain.weight == shifted.weight)
    }
  }

  @Test("an offset moves the sampling points by source pixels; what leaves the view has no value")
  func offset() {
    let map = DepthMap(width: 8, height: 1, values: (0..<8).map { Float($0) })
    func samples(_ offset: Double, extends: Bool) -> [Double] {
      var values: [Double] = []
      BilinearSampler(
        source: RasterSize(width: 4, height: 1), target: map.size, offset: PixelOffset(x: offset, y: 0),
        extendsEdges: extends
      ).forEachSample(of: map) { values.append($1) }
      return values
    }
    // Centres of the four pixels lie at 0.5, 2.5, 4.5 and 6.5 of the eight.
    #expect(samples(0.25, extends: false) == [1, 3, 5, 7])
    let moved = samples(1, extends: false)
    #expect(Array(moved[..<3]) == [2.5, 4.5, 6.5] && moved[3].isNaN)
    #expect(samples(1, extends: true) == [2.5, 4.5, 6.5, 7])
    #expect(samples(-1.5, extends: true) == [0, 0, 1.5, 3.5])
  }

  /// A frame whose LiDAR shows everything so many LiDAR pixels to the left of and above where the network has it.
  private func displaced(_ offset: PixelOffset, _ scene: LocalScene) -> DepthFrame {
    var frame = scene.frame()
    let share = (
      offset.x / Double(scene.lidarSize.width), offset.y / Double(scene.lidarSize.height)
    )
    for row in 0..<scene.lidarSize.height {
      for column in 0..<scene.lidarSize.width {
        let u = (Double(column) + 0.5) / Double(scene.lidarSize.width)
        let v = (Double(row) + 0.5) / Double(scene.lidarSize.height)
        frame.lidar[row, column] = Float(scene.depth(u + share.0, v + share.1))
      }
    }
    return frame
  }

  @Test(
    "a displaced LiDAR is put where the network sees the same, by every kind of method",
    arguments: [
      FittedFusion(.ols, in: .disparity) as any FusionMethod, LocalFusion.lwlr, LocalFusion.nearestAnchors,
      LocalFusion.guided, LocalFusion.residual, AutoFusion(),
    ])
  func registration(_ method: any FusionMethod) throws {
    let offset = PixelOffset(x: 3, y: -2)
    let scene = LocalScene()
    let right = LocalScene.fuse(method, scene.frame())
    let frame = displaced(offset, scene)
    let (blind, informed) = (
      LocalScene.fuse(method, frame), LocalScene.fuse(method, frame) { $0.options.registration = offset }
    )
    let truth = try #require(frame.truth)
    func error(_ result: FusionResult) throws -> Double {
      LocalScene.error(try #require(result.prediction).depth, truth)
    }
    // As good as with a LiDAR in place but for a border of three pixels, and better than without knowing.
    let (best, found, wrong) = (try error(right), try error(informed), try error(blind))
    #expect(found < best * 1.15 + 1e-4, "\(method.id): \(found) against \(best)")
    #expect(found < wrong, "\(method.id): \(found), \(wrong) without registration")
  }

  @Test("contradictions are named, and unusable values")
  func problems() {
    var calibration = Calibration()
    #expect(calibration.firstProblem == nil)
    calibration.noise = [RangeLaw(a: 0.02, b: 0), RangeLaw(a: 0.01, b: 0.01), RangeLaw(a: 0.01, b: 0)]
    calibration.confidenceWeights = [0.1, 0.5, 1]
    // Level 0 has the larger a, level 1 the larger b: neither is noisier everywhere.
    #expect(calibration.firstProblem == nil)
    calibration.confidenceWeights = [0.1, 1, 0.5]
    #expect(calibration.firstProblem?.contains("confidence 1 weighs") == true)
    calibration = Calibration(correction: LidarCorrection(scale: .nan, offset: 0))
    #expect(calibration.firstProblem?.hasPrefix("correction") == true)
    calibration = Calibration(registration: PixelOffset(x: 0, y: 40))
    #expect(calibration.firstProblem?.hasPrefix("registration") == true)
  }

  @Test("keys in files are those of the YAML; what is not there keeps its default")
  func coding() throws {
    let calibration = Calibration(
      correction: LidarCorrection(scale: 1.01, offset: 0), confidenceWeights: [0, 0.5, 1])
    let data = try JSONEncoder().encode(calibration)
    #expect(String(decoding: data, as: UTF8.self).contains("\"confidence-weights\""))
    #expect(try JSONDecoder().decode(Calibration.self, from: data) == calibration)
    #expect(try JSONDecoder().decode(Calibration.self, from: Data("{}".utf8)) == Calibration())
  }
}
