import FathomStatistics
import FathomTestSupport
import Foundation
import Testing

@testable import DepthEvaluation
@testable import DepthVerdicts

/// `Tests/CrossCheck/check_deviation.py` compares the tables of a run with the same numpy code.
@Suite("Scores of confidence and the pixels that a threshold keeps")
struct RetentionCurveTests {
  /// As Tests/CrossCheck/make_confidence_golden.py makes them: one frame a scene.
  private struct Golden: Decodable {
    let errors: [[Double]], confidences: [[Double]], ause: [Double], aurg: [Double]
    let wanted: [Double], thresholds: [Double], shares: [Double], means: [Double]
  }

  private func frames(_ golden: Golden) throws -> [DeviationScores] {
    try zip(golden.errors, golden.confidences).map { errors, confidences in
      try #require(DeviationScores(errors: errors, doubts: confidences.map { -$0 }, unusable: 0))
    }
  }

  @Test("AUSE, thresholds and what they keep equal numpy's", arguments: ["score", "levels", "wrong"])
  func golden(_ name: String) throws {
    let url = PackageFiles.root.appendingPathComponent("Tests/CrossCheck/golden/confidence.json")
    let all = try JSONDecoder().decode([String: Golden].self, from: Data(contentsOf: url))
    let golden = try #require(all[name])
    var sums = DeviationSums("stored:\(name)", .images)
    for (index, frame) in try frames(golden).enumerated() {
      #expect(abs((frame.values[DeviationScore.ause.position] ?? 0) - golden.ause[index]) < 1e-12)
      #expect(abs((frame.values[DeviationScore.aurg.position] ?? 0) - golden.aurg[index]) < 1e-12)
      #expect(frame.values[DeviationScore.coverage95.position] == nil && frame.isOfConfidence)
      sums.add(frame, of: "s\(index)")
      sums.endScene()
    }
    var bootstrap = SceneBootstrap(seed: 0)
    let result = DeviationResult(sums, &bootstrap)
    #expect(result.isOfConfidence && result.transform.isEmpty && result.scenesWithValue == 5)
    #expect(result.retained.map(\.wanted) == golden.wanted && result.retained[0].threshold == nil)
    #expect(result.retained.compactMap(\.threshold) == golden.thresholds)
    for (row, (share, mean)) in zip(result.retained, zip(golden.shares, golden.means)) {
      #expect(abs(row.share - share) < 1e-12 && abs(row.error - mean) < 1e-12, "\(row.wanted)")
      #expect(row.errorInterval.map { $0.low <= mean && mean <= $0.high } == true)
    }
    #expect(((result.whole.value(.aurg) ?? 0) > 0) == (name != "wrong"))
    #expect((result.retained.knee == nil) == (name == "wrong"), "\(name)")
  }

  @Test("Levels keep what they say, by hand; rows come back as they were stored")
  func byHand() throws {
    // Two pixels each of level 2, 1 and 0 with |e| 1, 2 and 6 mm.
    let errors = [0.001, -0.006, 0.002, 0.001, 0.006, -0.002], levels = [2.0, 0, 1, 2, 0, 1]
    let scores = try #require(DeviationScores(errors: errors, doubts: levels.map { -$0 }, unusable: 2))
    #expect(scores.values[DeviationScore.unusable.position] == 0.25)
    let curve = try #require(scores.retention)
    #expect(curve.limits == [-2, -1, 0])
    for (limit, share, error) in [
      (-3.0, 0.0, 0.0), (-2, 2, 2), (-1.5, 2, 2), (-1, 4, 6), (0, 6, 18), (9, 6, 18),
    ] {
      let kept = curve.kept(limit)
      #expect(abs(kept.share - share / 6) < 1e-15 && abs(kept.error - error / 6000) < 1e-15, "\(limit)")
    }
    var writer = RowWriter()
    scores.write(to: &writer)
    var reader = RowReader(writer.bytes, names: writer.names)
    #expect(DeviationScores(from: &reader) == scores && scores.isPlausible)
    #expect(DeviationScores(errors: [], doubts: [], unusable: 0) == nil)
    #expect(DeviationScores(errors: [], doubts: [], unusable: 3)?.retention == nil)
  }
}
