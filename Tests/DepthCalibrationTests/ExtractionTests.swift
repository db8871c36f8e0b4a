import DepthCore
import Testing

@testable import DepthCalibration

@Suite("What a calibration takes from frames")
struct ExtractionTests {
  let plan = CalibrationPlan()

  @Test("truth of the LiDAR's own resolution is the pixel itself, within the range that counts")
  func samePixels() {
    let truth = DepthMap(width: 4, height: 1, values: [1.5, .nan, 0.1, 11])
    let found = TruthAtLidar(truth, at: truth.size, plan: plan)
    #expect(found.depths[0] == 1.5 && found.depths.dropFirst().allSatisfy(\.isNaN))
    #expect(found.leftOut == .init(unknown: 1, steps: 0, outOfRange: 2))
  }

  @Test("finer truth is read bilinearly at the centre; steps and unknown neighbours leave none")
  func finerTruth() {
    // Each LiDAR pixel covers 2×2 truth pixels and lies between all four.
    let truth = DepthMap(
      width: 6, height: 2,
      values: [
        2, 2.1, 2, 2.5, 2, .nan,
        2.15, 2.15, 2, 2, 2, 2,
      ])
    let found = TruthAtLidar(truth, at: RasterSize(width: 3, height: 1), plan: plan)
    #expect(abs(found.depths[0] - 2.1) < 1e-6)
    #expect(found.leftOut == .init(unknown: 1, steps: 1, outOfRange: 0))
  }

  @Test("a cell holds coverage, bias, MAE, RMSE, P95 and median of its own pixels")
  func cells() throws {
    let frame = rowFrame(
      0, truth: [1.2, 1.3, 1.4, 2.2, 1.1], errors: [0.01, -0.03, 0.02, 0.05, -1.1], levels: [2, 2, 2, 2, 2])
    let units = CalibrationUnits([sceneErrors([frame])])
    let cell = try #require(units.units.first?.cells[ErrorCell(level: 2, bin: 2)])
    #expect(cell.pixels == 4 && cell.returns == 3)
    #expect(cell.mean(.coverage) == 0.75)
    // Stored in Float32.
    let values: [(ErrorStatistic, Double)] = [
      (.bias, 0), (.mae, 0.02), (.rmse, (0.0014 / 3).squareRoot()), (.p95, 0.029), (.medianRel, 0.02 / 1.4),
    ]
    for (statistic, expected) in values {
      let found = try #require(cell.mean(statistic))
      #expect(abs(found - expected) < 1e-6, "\(statistic)")
    }
    #expect(units.units.first?.cells[ErrorCell(level: nil, bin: nil)]?.pixels == 5)
  }

  @Test("without a confidence map every pixel counts as level 2; unknown levels are excluded")
  func levels() {
    let truth: [Float] = [1, 1, 1], errors: [Float] = [0.01, 0.02, 0.03]
    let plain = sceneErrors(
      [rowFrame(0, truth: truth, errors: errors, levels: nil)], hasConfidence: false)
    #expect(plain.frames[0].returns == [0, 0, 3] && plain.frames[0].ause == nil)
    let strange = sceneErrors([rowFrame(0, truth: truth, errors: errors, levels: [255, 1, 0])])
    #expect(strange.frames[0].returns == [1, 1, 0] && strange.unknownLevels == 1)
  }

  @Test("at most the wanted pixels are kept of a scene, spread over all its frames, the same every time")
  func kept() {
    var plan = plan
    plan.keptPixels = 100
    let frames = (0..<7).map { index in
      rowFrame(
        index, truth: (0..<500).map { 1 + Float($0) / 500 }, errors: (0..<500).map { Float($0) / 1e4 },
        levels: Array(repeating: 1, count: 500))
    }
    let (first, second) = (sceneErrors(frames, plan: plan), sceneErrors(frames, plan: plan))
    #expect(first.samples(level: 1) == second.samples(level: 1))
    #expect(first.samples(level: 1).count == 100 && first.samples(level: 0).isEmpty)
    let perBlock = first.blocks.map { $0.samples[1].count }
    #expect(perBlock.count == 7 && perBlock.allSatisfy { (14...15).contains($0) })
    // One of every fourteenth or so: the mean depth is kept.
    let depths = first.samples(level: 1).map(\.depth)
    let mean = depths.reduce(0, +) / 100
    #expect(abs(mean - 1.499) < 0.02)
    plan.seed = 1
    #expect(sceneErrors(frames, plan: plan).samples(level: 1) != first.samples(level: 1))
  }
}
