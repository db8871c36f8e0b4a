import DepthCore
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import Testing

@testable import DepthCalibration

@Suite("Gain on scenes that a calibration has not seen")
struct HeldOutGainTests {
  @Test("every scene is calibrated by others only", arguments: [2, 3, 5, 6, 8, 9, 40])
  func folds(_ count: Int) {
    let folds = GainFolds(scenes: count)
    #expect(folds.count == (count >= 8 ? 2 : min(5, count)))
    for scene in 0..<count {
      let training = folds.training(for: folds.fold(of: scene))
      #expect(!training.contains(scene) && !training.isEmpty)
    }
    #expect(Set((0..<count).map(folds.fold)).count == folds.count)
  }

  @Test("frames are thinned evenly")
  func frames() {
    #expect(GainTrial.frames(of: 3) == [0, 1, 2])
    let many = GainTrial.frames(of: 120)
    #expect(many.count == GainTrial.mostFrames && many.first == 5 && many.last == 115)
  }

  /// A slanted wall; the LiDAR says 4 % too much, the network's map is exact.
  private func frame(_ index: Int, step: Double) -> DepthFrame {
    let (width, height) = (48, 36)
    let depth = (0..<width * height).map { 1 + step + 2 * Double($0 % width) / Double(width) }
    let lidar = depth.map { Float(1.04 * $0) }
    return DepthFrame(
      index: index, lidar: DepthMap(width: width, height: height, values: lidar),
      confidence: Raster(width: width, height: height, filledWith: 2),
      relative: DepthMap(width: width, height: height, values: depth.map { Float((1 / $0 - 0.02) / 0.2) }),
      truth: DepthMap(width: width, height: height, values: depth.map(Float.init)))
  }

  private func gain(_ calibration: Calibration, scenes: Int = 6) -> HeldOutGain {
    let trial = GainTrial(rules: .fathom, seed: 1)
    let records = (0..<scenes).flatMap { number -> [FrameRecord] in
      var header = SceneHeader(name: "wall-\(number)", frameCount: 2)
      header.relativeKind = .disparity
      let scene = SceneContext(header: header, name: header.name)
      return (0..<2).flatMap {
        trial.records(
          of: frame($0, step: 0.1 * Double(number) + 0.03 * Double($0)), in: scene, under: calibration)
      }
    }
    return HeldOutGain(records, folds: GainFolds(scenes: max(2, scenes)), seed: 1)
  }

  @Test("the right correction improves, its opposite makes worse, none is not a difference")
  func verdicts() throws {
    let right = gain(Calibration(correction: LidarCorrection(scale: 1 / 1.04, offset: 0)))
    #expect(right.rows.map(\.method) == ["ols", "ols", "wls", "wls", "auto", "auto"])
    #expect(right.rows.allSatisfy { $0.verdict == .improves } && right.scenes == 6)
    let ols = try #require(right.rows[0].comparison)
    #expect(ols.value < 1e-4 && ols.referenceValue > 0.05)
    let wrong = gain(Calibration(correction: LidarCorrection(scale: 1.04, offset: 0)))
    #expect(wrong.rows.allSatisfy { $0.verdict == .worsens })
    let none = gain(Calibration())
    #expect(none.rows.allSatisfy { $0.verdict == .undecided && $0.comparison?.difference == 0 })
    #expect(gain(Calibration(), scenes: 1).rows.allSatisfy { $0.verdict == .notShown })
  }
}
