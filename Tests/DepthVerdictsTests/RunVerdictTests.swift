import DepthCore
import DepthFusion
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@testable import DepthEvaluation
@testable import DepthVerdicts

/// A run of rows whose every column has one value; nil where the method refused.
private struct VerdictScene {
  var scenes = 6, frames = 2
  var values: [String: (Int, Int) -> Double?]
  /// Coverage of a method; 1 where nothing is said.
  var coverage: [String: Double] = [:]
  /// Whether truth counts: without it no metric has a value, and where nothing is covered only that share has.
  var hasTruth = true
  /// Whether the LiDAR measures truth pixels.
  var isMeasured = true
  var independence = TruthIndependence.independent
  /// Of a scene and a frame, of 12; nil where nothing was counted.
  var truthPixels: (Int, Int) -> Int? = { _, _ in nil }

  var run: EvaluationRun {
    get throws {
      let plan = EvaluationPlan(
        methods: try MethodCatalogue.parse(values.keys.sorted().joined(separator: ",")))
      var (contexts, records) = ([SceneContext](), [FrameRecord]())
      for scene in 0..<scenes {
        var header = SceneHeader(name: "room-\(scene)", frameCount: frames)
        header.relativeKind = .disparity
        header.relativeSize = RasterSize(width: 4, height: 3)
        (header.lidarSize, header.truthSize) = (header.relativeSize, header.relativeSize)
        header.truthIndependence = independence
        contexts.append(SceneContext(header: header, name: header.name))
        for frame in 0..<frames {
          for selection in plan.methods {
            let value = values[selection.description]?(scene, frame)
            var row = value.map { [Double?](repeating: $0, count: MetricColumn.all.count) } ?? []
            if !row.isEmpty {
              let covered = coverage[selection.description] ?? 1
              if covered == 0 || !hasTruth { row = row.map { _ in nil } }
              row[MetricColumn.coverage.position] = hasTruth ? covered : nil
              if !isMeasured {
                for column in MetricColumn.all where column.support == .measured {
                  row[column.position] = nil
                }
              }
            }
            var record = FrameRecord(
              scene: header.name, frameIndex: frame, frame: "\(frame)",
              method: selection.method(for: .disparity).id, space: nil, role: selection.role,
              fusion: FusionResult(status: value == nil ? .rejectedScale : .ok), values: row)
            record.storedTruthCount = truthPixels(scene, frame)
            records.append(record)
          }
        }
      }
      return EvaluationRun(plan: plan, scenes: contexts, records: records, baseline: "lidar-bilinear")
    }
  }

  var verdict: RunVerdict { get throws { RunVerdict(try run) } }
}

/// Differs from scene to scene, so that tests have something to rank.
private func error(_ mean: Double) -> (Int, Int) -> Double? {
  { scene, _ in mean * (1 + Double(scene) / 100) }
}

@Suite("What a run shows, as values")
struct RunVerdictTests {
  @Test("the lowest error over all frames is best, and every method has its place")
  func order() throws {
    let verdict = try VerdictScene(values: [
      "lidar-bilinear": error(0.1), "ols": error(0.08), "huber": error(0.06), "spec": { _, _ in nil },
      "oracle": error(0.01),
    ]).verdict
    let ranking = verdict.ranking
    #expect(ranking.placed.map(\.method) == ["huber", "ols", "lidar-bilinear"])
    #expect(ranking.placed.map(\.place) == [1, 2, 3])
    #expect(ranking.best == "huber" && ranking.bestFitted == "huber" && !ranking.baselineIsBest)
    #expect(ranking["spec"]?.reason == .solvedNothing && ranking["oracle"] == nil)
    let huber = try #require(ranking["huber"])
    #expect(huber.ids == ["huber@disparity"] && huber.framesSolved == 12 && huber.bothSolved == nil)
    #expect(huber.gain.outcome == .better && abs((huber.gain.gain ?? 0) - 0.4) < 1e-12)
    #expect(huber.gain.evidence == .unattainable || huber.gain.evidence == .significant)
    let reference = try #require(verdict.references.first)
    #expect(reference.reference == "lidar-bilinear" && reference.scenes == 6)
    #expect(Set(reference.better + reference.undecided).contains("huber@disparity"))
    #expect(verdict.leaders["mae_m"] == ["huber@disparity"] && verdict.coverageIsEqual)
    #expect(verdict.leads("huber@disparity", in: .absRel) && !verdict.leads("ols@disparity", in: .absRel))
  }

  @Test(
    "a frame with few truth pixels is not the worst, and the share of the truth is a mean over frames, then scenes"
  )
  func thinTruth() throws {
    var data = VerdictScene(
      scenes: 6, frames: 4,
      values: [
        "lidar-bilinear": error(0.1),
        "ols": { scene, frame in (frame == 3 ? 9 : 0.08) + Double(scene) / 1000 },
      ])
    #expect(try data.verdict.next.frame == "3" && data.verdict.data.truthShare == nil)
    data.truthPixels = { scene, frame in frame == 3 ? 2 : scene == 0 ? 12 : 6 }
    let verdict = try data.verdict
    #expect(verdict.next.method == "ols" && verdict.next.frame == "0" && verdict.next.scene == "room-5")
    // A scene with 12, 12, 12 and 2 of 12 pixels, five with 6, 6, 6 and 2.
    let share = try #require(verdict.data.truthShare)
    #expect(abs(share.mean - (38.0 / 48 + 5 * 20.0 / 48) / 6) < 1e-12 && share.least == 2.0 / 12)
    #expect(share.isPartial && !share.isThin)
  }

  @Test("a column has no leader where the best one's interval holds the next, nor without an interval")
  func uncertainLeader() throws {
    let near = VerdictScene(values: [
      "lidar-bilinear": error(0.1), "ols": error(0.0601), "huber": error(0.06),
    ])
    #expect(try near.verdict.leaders["mae_m"] == nil)
    let few = VerdictScene(scenes: 3, values: ["lidar-bilinear": error(0.1), "ols": error(0.05)])
    #expect(try few.verdict.leaders.isEmpty)
  }

  @Test("a sensor that is averaged over time can be best, and never the best fitted")
  func smoothed() throws {
    let ranking = try VerdictScene(values: [
      "lidar-bilinear": error(0.1), "smoothed": error(0.05), "ols": error(0.09), "auto": error(0.07),
    ]).verdict.ranking
    #expect(ranking.best == "smoothed" && ranking.bestFitted == "auto")
  }

  @Test("leaving out hard frames, scenes or pixels is not a gain")
  func fairness() throws {
    let hard: (Int, Int) -> Double? = { scene, frame in frame == 0 ? 0.01 : 0.2 }
    let ranking = try VerdictScene(
      values: [
        "lidar-bilinear": hard, "ols": { _, frame in frame == 0 ? 0.02 : nil },
        "huber": { scene, _ in scene < 3 ? 0.001 : nil }, "guided": { _, _ in 0.001 },
      ], coverage: ["guided": 0.9]
    ).verdict.ranking
    // ols refuses what the raw LiDAR then has to answer for.
    let ols = try #require(ranking["ols"])
    #expect(ols.framesSolved == 6 && ols.framesRefused == 6 && ols.bothSolved?.frames == 6)
    #expect(ols.gain.form == "solved" && ols.gain.outcome == .worse)
    #expect(ranking["guided"]?.reason == .lessCoverage && ranking["guided"]?.place == nil)
    #expect(ranking.passedOver.map(\.method) == ["guided"])
    #expect(ranking["huber"]?.framesRefused == 6)
    #expect(ranking.bestFitted == ranking.placed.first { $0.role.isFitted }?.method)
  }

  @Test("a lead that would be printed as 0.0 % beats no baseline")
  func tie() throws {
    let ranking = try VerdictScene(values: [
      "lidar-bilinear": error(0.1), "lidar-nearest": error(0.099999), "ols": error(0.3),
    ]).verdict.ranking
    #expect(ranking.best == "lidar-bilinear" && ranking.baselineIsBest)
    #expect(ranking["lidar-nearest"]?.place == 2 && ranking["lidar-nearest"]?.gain.outcome == .same)
    #expect(ranking["ols"]?.gain.outcome == .worse)
  }

  @Test("where the LiDAR measures none of the truth, all pixels decide")
  func unmeasured() throws {
    let ranking = try VerdictScene(
      values: ["lidar-bilinear": error(0.1), "ols": error(0.05)], isMeasured: false
    ).verdict.ranking
    #expect(ranking.column == "mae_m" && ranking.best == "ols")
  }

  @Test("without a value nothing is best")
  func nothing() throws {
    let verdict = try VerdictScene(values: [
      "lidar-bilinear": { _, _ in nil }, "ols": { _, _ in nil },
    ]).verdict
    #expect(verdict.ranking.best == nil && verdict.ranking.bestFitted == nil)
    #expect(verdict.leaders.isEmpty && verdict.inference.scenes == 0 && verdict.filled == nil)
  }

  @Test(
    "evidence says what so many scenes can show",
    arguments: [
      (1, ComparisonVerdict.Evidence.oneScene), (3, .range), (4, .unattainable), (9, .significant),
    ])
  func evidence(scenes: Int, expected: ComparisonVerdict.Evidence) throws {
    let ranking = try VerdictScene(
      scenes: scenes, values: ["lidar-bilinear": error(0.1), "ols": error(0.05)]
    ).verdict.ranking
    let gain = try #require(ranking["ols"]?.gain)
    #expect(gain.evidence == expected && gain.scenes == scenes)
    #expect((gain.low == nil) == (scenes < 4))
    let range = try #require(gain.smallest)...#require(gain.largest)
    #expect(range.contains(gain.value - gain.referenceValue) && abs(range.upperBound + 0.05) < 1e-6)
  }

  @Test("results that no method can have doubt the input, others do not")
  func doubts() throws {
    func doubts(_ baseline: Double, _ other: Double) throws -> [InputDoubt]? {
      try VerdictScene(values: ["lidar-bilinear": error(baseline), "ols": error(other)]).verdict.doubts
    }
    #expect(try doubts(0.1, 0.08) == nil)
    #expect(try doubts(1.5, 0.9) == nil)
    #expect(try doubts(226, 12) == [.errorsAboveDepth])
    #expect(try doubts(0, 0.05) == [.baselineWithoutError])
    let network = try VerdictScene(values: ["lidar-bilinear": error(0.1), "stored:net": error(0)]).verdict
    #expect(network.doubts == [.baselineWithoutError])
    #expect(try !VerdictScene(values: ["lidar-bilinear": error(0.1)]).verdict.json.contains("doubts"))
    var scene = VerdictScene(values: ["lidar-bilinear": error(0.1)])
    scene.coverage = ["lidar-bilinear": 0]
    #expect(try scene.verdict.doubts == nil, "no method gave depth: the truth is not to blame")
    scene.hasTruth = false
    #expect(try scene.verdict.doubts == [.truthOutsideRange])
  }

  @Test("what the data cannot show is told")
  func data() throws {
    var scene = VerdictScene(values: ["lidar-bilinear": error(0.1), "ols": error(0.05)])
    scene.independence = .sameSensor
    let data = try scene.verdict.data
    #expect(!data.canShowGain && data.dependent == 6 && data.dependences == [.sameSensor])
    #expect(data.relativeMaps.map(\.kind) == [.disparity] && data.relativeMaps[0].declared == 6)
    scene.independence = .render
    #expect(try scene.verdict.data.rendered == 6 && scene.verdict.data.canShowGain)
  }

  @Test("the stored form comes back whole, is the same twice, and every key of it is documented")
  func stored() throws {
    let verdict = try VerdictScene(
      values: [
        "lidar-bilinear": error(0.1), "ols": { scene, frame in scene == 0 && frame == 0 ? nil : 0.05 },
        "spec": error(0.09), "huber": error(0.04),
      ]
    ).verdict
    let text = try verdict.json
    #expect(try JSONDecoder().decode(RunVerdict.self, from: Data(text.utf8)) == verdict)
    #expect(
      try text
        == VerdictScene(
          values: [
            "lidar-bilinear": error(0.1), "ols": { scene, frame in scene == 0 && frame == 0 ? nil : 0.05 },
            "spec": error(0.09), "huber": error(0.04),
          ]
        ).verdict.json)
    let page = try String(
      contentsOf: PackageFiles.root.appendingPathComponent("docs/verdict.md"), encoding: .utf8)
    var keys: Set<String> = []
    func collect(_ value: Any, into keys: inout Set<String>) {
      if let object = value as? [String: Any] {
        for (key, value) in object {
          // Columns are data here.
          if key == "leaders" {
            keys.insert(key)
          } else {
            keys.insert(key)
            collect(value, into: &keys)
          }
        }
      }
      for value in value as? [Any] ?? [] { collect(value, into: &keys) }
    }
    collect(try JSONSerialization.jsonObject(with: Data(text.utf8)), into: &keys)
    #expect(keys.count > 40)
    for key in keys { #expect(page.contains("`\(key)`"), "docs/verdict.md does not say what \(key) is") }
  }
}
