import DepthCore
import Foundation
import FathomTestSupport
import Testing

@testable import DepthEvaluation
@testable import DepthFusion

@Suite("Metrics against numpy")
struct MetricTests {
  @Test("every column, with missing predictions and unknown truth", arguments: GoldenAnswers.shared.metrics)
  func columns(_ c: GoldenAnswers.Metrics) throws {
    let count = c.truth.count
    // A LiDAR of the truth's resolution, so that "measured" is what the case says.
    let frame = DepthFrame(
      index: 0,
      lidar: DepthMap(width: count, height: 1, values: c.measured.map { $0 ? 1 : 0 }),
      truth: DepthMap(width: count, height: 1, values: c.truth.map { Float($0) }))
    let pixels = TruthPixels(frame, truth: try #require(frame.truth), protocol: .fathom)
    #expect(Double(pixels.indices.count) == c.numbers["truth_pixels"])
    let prediction = Prediction(
      depth: DepthMap(width: count, height: 1, values: c.predicted.map { Float($0) }))
    var scorer = try #require(FrameScorer(frame, .fathom))
    let scores = scorer.scores(of: [prediction], by: ["m"], fusions: [FusionResult(status: .ok)])[0]
    #expect((scores == nil) == pixels.indices.isEmpty)
    let values = scores?.values ?? MetricColumn.all.map { _ in nil }
    // The golden cases are loose pixels; metrics of whole images have tests of their own.
    let ofPixels = Set(Metric.depth.map(\.id))
    for (index, column) in MetricColumn.all.enumerated() where ofPixels.contains(column.metric.id) {
      switch (values[index], c.numbers[column.id]) {
      case (nil, nil): break
      case (let value?, let expected?):
        // Squares and logarithms are in single precision before they are added.
        #expect(abs(value - expected) <= 1e-7 * abs(expected) + 1e-9, "\(column.id)")
      case (let value, let expected):
        Issue.record("\(column.id): \(String(describing: value)), not \(String(describing: expected))")
      }
    }
  }

  @Test("ids are unique and in the order of the interface")
  func ids() {
    let ids = MetricColumn.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(
      ids == [
        "coverage", "abs_rel", "sq_rel_m", "rmse_m", "rmse_log", "log10", "silog", "mae_m", "median_ae_m",
        "p90_ae_m", "p95_ae_m", "bias_m", "delta_0_5", "delta_1", "delta_2", "delta_3", "irmse_per_m",
        "abs_rel_measured", "mae_m_measured", "rmse_m_measured", "delta_1_measured", "abs_rel_filled",
        "mae_m_filled", "rmse_m_filled", "delta_1_filled", "boundary_f1", "temporal_abs_rel", "flicker_m",
        "ause", "aurg",
        "sq_rel_kitti", "irmse_per_km",
        "delta_103", "delta_105", "imae_per_km", "normal_mean_deg", "normal_median_deg", "normal_11",
        "normal_22", "normal_30", "scale_error", "epe_px", "bad_1", "bad_2", "bad_4", "d1_all",
      ])
  }

  @Test("empty, negative and infinite predictions never count as correct")
  func missing() {
    let pairs = ErrorSummary(predicted: [1, -1, .infinity, .nan, 0], reference: [1, 1, 1, 1, 1])
    #expect(Metric.coverage.value(pairs) == 0.2)
    #expect(Metric.delta1.value(pairs) == 0.2)
    #expect(Metric.absRel.value(pairs) == 0)
    let none = ErrorSummary(predicted: [Double](), reference: [Double]())
    for metric in Metric.depth + [.medianRel] { #expect(metric.value(none) == nil) }
    let unpredicted = ErrorSummary(predicted: [Double.nan], reference: [1])
    #expect(Metric.coverage.value(unpredicted) == 0)
    #expect(Metric.delta1.value(unpredicted) == nil)
    #expect(Metric.rmse.value(unpredicted) == nil)
  }
}

@Suite("Which pixels count")
struct TruthPixelTests {
  @Test("within one LiDAR pixel of a step above 10 %")
  func edges() throws {
    // 12 truth pixels over 4 LiDAR pixels: a step between columns 5 and 6, margin 3 pixels.
    let truth = DepthMap(width: 12, height: 1, values: [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2])
    let frame = DepthFrame(index: 0, lidar: DepthMap(width: 4, height: 1, filledWith: 1), truth: truth)
    var rules = EvaluationProtocol.fathom
    rules.edgeMargin = 1
    #expect(TruthPixels(frame, truth: truth, protocol: rules).indices == [0, 1, 10, 11])
    rules.edgeRatio = 2.5
    #expect(TruthPixels(frame, truth: truth, protocol: rules).indices.count == 12)
  }

  @Test("a slope without a step has no edge; unknown truth is none either")
  func slope() {
    let values = (0..<20).map { Float(pow(1.05, Double($0))) }
    let slope = DepthMap(width: 20, height: 1, values: values)
    #expect(!DepthEdges.mask(slope, ratio: 1.1, marginX: 1, marginY: 1).contains(1))
    let holes = DepthMap(width: 4, height: 1, values: [1, 0, .nan, 5])
    #expect(!DepthEdges.mask(holes, ratio: 1.1, marginX: 1, marginY: 1).contains(1))
  }

  @Test("columns below and above, not only beside")
  func vertical() {
    let map = DepthMap(width: 1, height: 5, values: [1, 1, 3, 3, 3])
    #expect(DepthEdges.mask(map, ratio: 1.1, marginX: 0, marginY: 1) == [1, 1, 1, 1, 0])
  }

  @Test(
    "agrees with the definition pixel by pixel, holes and margins of every size included", arguments: 0..<11)
  func definition(_ seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    // Wider and higher than the kernel's pieces.
    let isFar = seed >= 8
    let (width, height) = isFar ? (3, 600) : ([300, 7, 1, 520][seed % 4], [9, 40, 30, 1][seed % 4])
    var values = (0..<width * height).map { _ -> Float in
      switch Int.random(in: 0..<(isFar ? 1200 : 60), using: &generator) {
      case 0: 0
      case 1: .nan
      case 2: .infinity
      case 3: 2.5
      default: 2
      }
    }
    if isFar { values[900] = 2.5 }
    let map = DepthMap(width: width, height: height, values: values)
    // Up to 254 rows are counted in a byte.
    let (reachX, reachY) = isFar ? (1, [254, 255, 300][seed - 8]) : (seed % 5, (seed + 2) % 4)
    func isStep(_ a: Int, _ b: Int) -> Bool {
      let (p, q) = (values[a], values[b])
      return p > 0 && q > 0 && p.isFinite && q.isFinite && max(p, q) > 1.1 * min(p, q)
    }
    var steps: Set<Int> = []
    for index in values.indices {
      if index % width + 1 < width, isStep(index, index + 1) { steps.formUnion([index, index + 1]) }
      if index + width < values.count, isStep(index, index + width) {
        steps.formUnion([index, index + width])
      }
    }
    let expected = values.indices.map { index -> UInt8 in
      let (row, column) = (index / width, index % width)
      let isNear = (max(0, row - reachY)...min(height - 1, row + reachY)).contains { r in
        (max(0, column - reachX)...min(width - 1, column + reachX)).contains {
          steps.contains(r * width + $0)
        }
      }
      return isNear ? 1 : 0
    }
    #expect(
      DepthEdges.mask(map, ratio: 1.1, marginX: Double(reachX) + 0.4, marginY: Double(reachY)) == expected)
  }

  @Test("nearest takes floor((2x+1)·w/(2·w_t))")
  func nearest() {
    #expect((0..<6).map { NearestPixel.index($0, of: 6, in: 4) } == [0, 1, 1, 2, 3, 3])
    let prediction = Prediction(depth: DepthMap(width: 2, height: 1, values: [1, 3]), sampling: .nearest)
    #expect(TruthPixels.values(of: prediction, at: RasterSize(width: 4, height: 1)) == [1, 1, 3, 3])
  }
}
