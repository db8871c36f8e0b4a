import DepthCore
import Testing

@testable import DepthFusion

@Suite("Predictions that the data set holds")
struct StoredPredictionTests {
  private func frame(_ kind: StoredPrediction.Kind?) -> DepthFrame {
    let depth = (0..<64).map { 1 + Float($0) * 0.03 }
    let values: [Float] =
      switch kind {
      case .disparity: depth.map { (1 / $0 - 0.1) / 0.5 }
      case .depth: depth.map { ($0 + 2) * 4 }
      default: depth
      }
    var frame = DepthFrame(index: 0, lidar: DepthMap(width: 8, height: 8, values: depth))
    var header = StoredPrediction(name: "net", kind: kind, size: RasterSize(width: 8, height: 8))
    header.certainty = .deviation
    frame.predictions = [(header, DepthMap(width: 8, height: 8, values: values))]
    return frame
  }

  @Test(
    "metric ones are taken as they are, relative ones are fitted to the LiDAR",
    arguments: StoredPrediction.Kind.allCases)
  func scoring(_ kind: StoredPrediction.Kind) throws {
    var generator = SplitMix64(seed: 0)
    var frame = frame(kind)
    frame.certainties["net"] = DepthMap(width: 8, height: 8, filledWith: 0.02)
    let result = StoredPredictionScoring("net").fuse(frame, in: FusionContext(), using: &generator)
    #expect(result.status == .ok)
    let map = try #require(result.prediction).depth
    for (value, expected) in zip(map.values, frame.lidar.values) { #expect(abs(value - expected) < 1e-4) }
    #expect(result.space == (kind == .metric ? nil : Space(rawValue: kind.rawValue)))
    #expect((result.line == nil) == (kind == .metric))
    // The lines are 1/d = 0.5·r + 0.1 and d = r/4 − 2.
    for (deviation, d) in zip(try #require(result.deviation).values, frame.lidar.values) {
      let expected: Float =
        switch kind {
        case .metric: 0.02
        case .depth: 0.02 / 4
        case .disparity: 0.02 * 0.5 * d * d
        }
      #expect(abs(deviation - expected) < 1e-3 * expected)
    }
    // A confidence has no unit, so no line changes it.
    frame.predictions[0].header.certainty = .confidence
    let sure = StoredPredictionScoring("net").fuse(frame, in: FusionContext(), using: &generator)
    #expect(sure.confidence == frame.certainties["net"] && sure.deviation == nil)
  }

  @Test("without a kind, or without the prediction, there is no map")
  func refusals() {
    var generator = SplitMix64(seed: 0)
    let undeclared = StoredPredictionScoring("net").fuse(frame(nil), in: FusionContext(), using: &generator)
    #expect(undeclared.status == .degenerate && undeclared.reason?.contains("no kind") == true)
    let absent = StoredPredictionScoring("other").fuse(frame(.metric), in: FusionContext(), using: &generator)
    #expect(absent.status == .noRelative && absent.prediction == nil)
  }

  @Test("names: all, one, none")
  func names() throws {
    let all = try #require(try MethodCatalogue.parse("stored").first)
    #expect(all.resolved(stored: ["a", "b"]).map(\.description) == ["stored:a", "stored:b"])
    #expect(all.resolved(stored: []).isEmpty)
    let one = try #require(try MethodCatalogue.parse("stored:b").first)
    #expect(one.resolved(stored: ["a", "b"]) == [one] && one.resolved(stored: ["a"]).isEmpty)
    #expect(one.method(for: .depth).id == "stored:b")
    #expect(MethodCatalogue.standard.contains(all) && MethodCatalogue.everything.contains(all))
    #expect(throws: UnknownMethod.self) { try MethodCatalogue.parse("stored:") }
  }
}
