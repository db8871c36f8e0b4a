import DepthCore
import DepthFusion
import DepthObjects
import Foundation
import FathomStatistics
import FathomTestSupport
import Testing

@testable import DepthEvaluation
@testable import DepthVerdicts

/// A row with a given IoU and nothing else.
private func row(
  _ scene: String, _ index: Int, _ depth: String, iou: Double?, label: String = "cup", range: Double = 1.5
) -> ObjectRecord {
  let truth = OrientedBox(center: [0, 0, -range], size: [1, 1, 1], yaw: 0)
  let object = ObservedObject(
    scene: scene, frameIndex: 0, frame: "0", index: index, label: label, score: 0.9, truth: truth,
    visibility: nil, range: range)
  var record = ObjectRecord(object, depth: depth, method: "auto", status: iou == nil ? .noDepth : .ok)
  guard let iou else { return record }
  // Of the same height and a share of the width: contained, so that the IoU is the share.
  let box = OrientedBox(center: truth.center, size: [iou, 1, 1], yaw: 0)
  record.errors = BoxErrors(of: box, truth: truth, camera: .zero)
  return record
}

@Suite("Objects of a run")
struct ObjectResultsTests {
  private func results(_ records: [ObjectRecord]) -> ObjectResults {
    var (found, plan) = (FrameObjects(), ObjectPlan())
    found.records = records
    plan.boxMethods = ["auto"]
    return ObjectResults(found, plan: plan, seed: 0)
  }

  @Test("a scene's value is the mean or median over its objects, a run's the mean over scenes")
  func means() throws {
    let results = results([
      row("a", 0, "lidar", iou: 0.2), row("a", 1, "lidar", iou: 0.4), row("a", 2, "lidar", iou: 0.9),
      row("b", 0, "lidar", iou: 0.1), row("b", 1, "lidar", iou: nil),
    ])
    let group = try #require(results.overall(depth: "lidar", method: "auto"))
    #expect(group.objects == 5 && group.boxed == 4 && group.scenes == 2)
    let iou = try #require(group[.iou])
    #expect(abs(iou.value - 0.3) < 1e-12 && iou.objects == 4 && iou.scenes == 2)
    // The median of |0.2 − 1|, |0.4 − 1|, |0.9 − 1| and 0.9, over three axes.
    #expect(abs(try #require(group[.sizeError]).value - (0.6 + 0.9) / 2 / 3) < 1e-12)
    #expect(iou.interval == nil)
  }

  @Test("the interval is that of the scenes' values, and objects of a scene do not narrow it")
  func intervals() throws {
    let values = ["a": 0.2, "b": 0.4, "c": 0.5, "d": 0.9, "e": 0.3]
    func interval(objects: Int) -> ConfidenceInterval? {
      let rows = values.sorted { $0.key < $1.key }.flatMap { scene, iou in
        (0..<objects).map { row(scene, $0, "lidar", iou: iou) }
      }
      return results(rows).overall(depth: "lidar", method: "auto")?[.iou]?.interval
    }
    var bootstrap = SceneBootstrap(seed: 0)
    let expected = bootstrap.interval(ofMean: [0.2, 0.4, 0.5, 0.9, 0.3], scenes: ["a", "b", "c", "d", "e"])
    let mean = try #require(expected)
    for objects in [1, 3] {
      let found = try #require(interval(objects: objects))
      #expect(abs(found.low - mean.low) < 1e-9 && abs(found.high - mean.high) < 1e-9)
    }
  }

  @Test("one scene has a value and no interval")
  func oneScene() throws {
    let group = try #require(
      results([row("a", 0, "lidar", iou: 0.5)]).overall(depth: "lidar", method: "auto"))
    #expect(group[.iou]?.value == 0.5 && group[.iou]?.interval == nil)
  }

  @Test("a difference is taken on the objects that both have")
  func difference() throws {
    let results = results([
      row("a", 0, "lidar", iou: 0.2), row("a", 0, "truth", iou: 0.5), row("a", 1, "lidar", iou: 0.9),
      row("a", 1, "truth", iou: nil), row("b", 0, "lidar", iou: 0.3), row("b", 0, "truth", iou: 0.4),
    ])
    let difference = try #require(
      results.difference(.iou, depth: "lidar", method: "auto", against: "truth", "auto"))
    #expect(difference.objects == 2 && difference.scenes == 2)
    #expect(abs(difference.value - 0.25) < 1e-12 && abs(difference.difference + 0.2) < 1e-12)
    #expect(difference.interval == nil)
    #expect(results.difference(.iou, depth: "lidar", method: "auto", against: "spec", "auto") == nil)
  }

  @Test("bins by class in the order of names, by metres, and by what is seen")
  func bins() {
    let results = results([
      row("a", 0, "lidar", iou: 0.2, label: "vase", range: 7), row("a", 1, "lidar", iou: 0.4, label: "bed"),
      row("a", 2, "lidar", iou: 0.4, label: "cup", range: 0.5),
    ])
    func names(_ division: ObjectDivision) -> [String] {
      results.groups.filter { $0.division == division }.map(\.bin)
    }
    #expect(names(.label) == ["bed", "cup", "vase"])
    #expect(names(.range) == ["0–1 m", "1–2 m", "5 m and more"])
    #expect(names(.visibility).isEmpty)
  }

  @Test("precision and recall add up over scenes; a scene without true boxes is skipped")
  func detections() throws {
    func frame(_ scene: String, _ counts: DetectionCounts) -> DetectionRecord {
      DetectionRecord(
        scene: scene, frameIndex: 0, classes: [DetectionScore.Row(label: "cup", counts: counts)])
    }
    var found = FrameObjects()
    found.detections = [
      frame("a", DetectionCounts(matched: 3, spurious: 1)),
      frame("b", DetectionCounts(matched: 1, missed: 3)),
      frame("c", DetectionCounts(spurious: 9)),
    ]
    let row = try #require(ObjectResults(found, plan: ObjectPlan(), seed: 0).detection?.overall)
    #expect(row.scenes == 2 && row.counts.precision == 0.8 && row.counts.recall == 4.0 / 7)
    #expect(row.recallInterval == nil)
    found.detections += ["d", "e", "f"].map { frame($0, DetectionCounts(matched: 2, missed: 1)) }
    let more = try #require(ObjectResults(found, plan: ObjectPlan(), seed: 0).detection?.overall)
    let recall = try #require(more.recallInterval)
    #expect(recall.low >= 0 && recall.low < 0.625 && recall.high > 0.625 && recall.high <= 1)
  }

  @Test("any number of jobs gives the same rows in the same order")
  func jobs() async throws {
    var plan = EvaluationPlan(methods: try MethodCatalogue.parse("lidar-bilinear"), seed: 3)
    plan.objects = ObjectPlan()
    let scenes = (0..<5).map { BoxScene(distance: 1.4 + 0.1 * Double($0), yaw: 0.2 * Double($0)) }
    var tables: [[String]] = []
    for jobs in [1, 4] {
      var context = SceneContext(header: scenes[0].header, name: "desk")
      context.header.frameCount = 5
      let found = await plan.evaluateObjects(&context, frames: 0..<5, jobs: jobs) {
        (index) throws(Never) in
        var frame = scenes[index].frame
        frame.index = index
        return frame
      } detections: { (index) throws(Never) in
        FrameDetections(stored: [(index, scenes[index].object)], conventions: scenes[index].conventions)
      }
      #expect(found.objects.detections.map(\.frameIndex) == [0, 1, 2, 3, 4])
      tables.append(found.objects.records.map { "\($0)" })
    }
    #expect(tables[0].count == 5 * 2 * ObjectPlan().boxMethods.count && tables[0] == tables[1])
  }
}
