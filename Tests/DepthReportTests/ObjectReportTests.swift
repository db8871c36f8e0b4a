import FathomDocuments
import FathomTables
@testable import FathomRunFolders
import FathomPlainText
import DepthCharts
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthObjects
import DepthVerdicts
import Foundation
import FathomStatistics
import FathomTestSupport
import Testing

@testable import DepthReport

/// One frame per scene, its box seen in a LiDAR that is wrong by a share.
private func results(
  _ scenes: [(name: String, distance: Double)], tooFar: Float = 1.02, plan: ObjectPlan = ObjectPlan(),
  edit: (inout BoxScene) -> Void = { _ in }
) async throws -> ObjectResults {
  var (all, whole) = (
    FrameObjects(), EvaluationPlan(methods: try MethodCatalogue.parse("lidar-bilinear,spec"))
  )
  whole.objects = plan
  for (name, distance) in scenes {
    var scene = BoxScene(name: name, distance: distance, yaw: 0.5)
    for index in scene.frame.lidar.values.indices { scene.frame.lidar.values[index] *= tooFar }
    edit(&scene)
    let (frame, object, conventions) = (scene.frame, scene.object, scene.conventions)
    var context = SceneContext(header: scene.header, name: name)
    let found = await whole.evaluateObjects(&context, frames: 0..<1, jobs: 1) {
      (_) throws(Never) in
      frame
    } detections: { (_) throws(Never) in
      FrameDetections(stored: [(0, object)], conventions: conventions)
    }
    all.append(found.objects)
  }
  return ObjectResults(all, plan: plan, seed: 1)
}

@Suite("Report on objects")
struct ObjectReportTests {
  private let six = (0..<6).map { (name: "room-\($0)", distance: 1.4 + 0.05 * Double($0)) }

  @Test("sentences hold the numbers of the tables, and say what a depth error costs")
  func sentences() async throws {
    let results = try await results(six)
    let verdict = ObjectVerdict(results)
    let text = ObjectFindings(verdict: verdict).sentences
    let cost = try #require(
      results.difference(.placement, depth: "lidar", method: "auto", against: "truth", "auto"))
    // 2 % of about 1.6 m.
    #expect(cost.objects == 6 && cost.difference > 2 && cost.difference < 4.5)
    let raw = try #require(results.overall(depth: "lidar", method: "auto")?[.placement])
    // Values are centimetres in the tables, metres in the verdict, millimetres in sentences.
    let placement = try #require(verdict.placements.first { $0.name == "lidar" })
    #expect(placement.value == raw.value / 100 && placement.scenes == 6)
    let found = try #require(verdict.depthCosts.first)
    #expect(abs(found.difference - cost.difference / 100) < 1e-12 && found.objects == 6)
    let low = try #require(found.low), expected = try #require(cost.interval?.low)
    #expect(abs(low - expected / 100) < 1e-12 && found.excludesZero == true)
    let units = LengthUnit.millimetres
    #expect(
      text[0].contains(units.text(placement.value, low: placement.low, high: placement.high))
        && text[0].contains("means over 6 scenes"))
    #expect(text[1].contains("costs " + units.text(found.difference, low: found.low, high: found.high)))
    #expect(!text[1].contains("may be none"))
    let metres = ObjectFindings(verdict: verdict, units: .metres).sentences
    #expect(metres.count == text.count && !metres.joined().contains(" mm") && metres[0].contains(" m "))
    #expect(verdict.labels.map(\.name) == ["lidar"])
    #expect(verdict.detection?.precision == 1 && verdict.detection?.recall == 1)
    let lost = try #require(verdict.unboxed.first)
    #expect(verdict.unboxed.count == 1 && lost.depth == "spec" && lost.unboxed == 6 && lost.objects == 6)
    #expect(lost.reason == "the scene has no relative map")
  }

  @Test("figures hold the estimates and intervals of the depth maps and box methods")
  func figures() async throws {
    let found = try await results(six)
    let figures = ObjectFigures.all(found, ObjectVerdict(found), .millimetres).compactMap(\.self)
    #expect(figures.map(\.name) == ["objects-placement", "objects-iou"])
    for (figure, metric) in zip(figures, [ObjectMetric.placement, .iou]) {
      guard case .chart(let chart) = figure else { continue }
      // `spec` gave no map, so it has no place.
      #expect(chart.categories == ["lidar", "truth"])
      #expect(
        chart.series.map(\.name) == ["auto", "pca-xz", "six-point"])
      let estimate = try #require(found.overall(depth: "lidar", method: "pca-xz")?[metric])
      let scale = metric.id == "iou" ? 1.0 : 10
      #expect(chart.series[1].y[0] == estimate.value * scale)
      #expect(chart.series[1].low?[0] == estimate.interval.map { $0.low * scale })
      #expect(chart.y.unit == (metric.id == "iou" ? nil : "mm"))
      #expect(chart.alt.contains("means over 6 scenes with 95 % intervals"))
    }
    let single = try await results([six[0]])
    let one = ObjectFigures.all(single, ObjectVerdict(single), .millimetres).compactMap(\.self)
    #expect(one.count == 2 && one[0].alt.contains("one scene, so no intervals"))
  }

  @Test("objects without a true box do not count as failures to place an effect, and are reported")
  func someTruth() async throws {
    let results = try await results(six) { scene in
      if ["room-4", "room-5"].contains(scene.header.name) { scene.object.truth = nil }
    }
    let group = try #require(results.overall(depth: "lidar", method: "auto"))
    #expect(group.objects == 6 && group.boxed == 6 && group.known == 4)
    let text = ObjectFindings(verdict: ObjectVerdict(results)).sentences
    let verdict = ObjectVerdict(results)
    #expect(verdict.ways?.known == 4 && verdict.ways?.ranking.first { $0.name == "box" }?.objects == 4)
    #expect((verdict.confident, verdict.known) == (6, 4))
    #expect(
      text.contains { $0.hasPrefix("2 of 6 detections above the confidence threshold have no true box") })
    let places = try #require(
      ObjectReport(results: results).sections.first { $0.title == "Ways to place an effect" })
    let row = try #require(places.tables.first?.rows.first { $0[1].number == "box" })
    #expect(row[3].value == 4 && row[4].value == 4)
  }

  @Test("a frame whose tracking was lost is skipped and named, with its scene")
  func lostTracking() async throws {
    let lost = try await results(six) { scene in
      guard scene.header.name == "room-2" else { return }
      let nowhere = SIMD3<Double>(repeating: .nan)
      scene.frame.worldFromCamera = RigidTransform(
        xAxis: nowhere, yAxis: nowhere, zAxis: nowhere, translation: nowhere)
    }
    #expect(lost.objectCount == 5 && lost.overall(depth: "lidar", method: "auto")?.scenes == 5)
    #expect(
      ObjectFindings(verdict: ObjectVerdict(lost)).sentences.last
        == "The detections of room-2 (1 frame) are skipped: no usable pose (not finite, or no rotation).")
  }

  @Test("notes say what few scenes and missing confidence mean")
  func notes() async throws {
    let results = try await results(six)
    let plain = ObjectReport(results: results).notes
    #expect(
      plain.count == 1 && plain[0].contains("Fewer than 4 scenes have none."))
    let unsure = ObjectReport(results: results, unsureScenes: ["room-1", "room-3"]).notes
    #expect(
      unsure.last == "Without a confidence map, every pixel counts as confident: room-1, room-3.")
    let nothing = ObjectResults(
      FrameObjects(), plan: ObjectPlan(), leftOut: [.init(scene: "a", reason: "no poses")], seed: 0)
    #expect(ObjectReport(results: nothing).notes.isEmpty)
    #expect(
      ObjectFindings(verdict: ObjectVerdict(nothing)).sentences == [
        "The detections of a are skipped: no poses."
      ])
  }

  @Test("few scenes: nothing is said to exclude zero; a gain is called one")
  func fewScenes() async throws {
    // The truth itself is wrong, so that the LiDAR places better.
    let two = try await results(Array(six.prefix(2)), tooFar: 1) { scene in
      for index in scene.frame.truth?.values.indices ?? 0..<0 { scene.frame.truth?.values[index] *= 1.03 }
    }
    let text = ObjectFindings(verdict: ObjectVerdict(two)).sentences.joined(separator: "\n")
    #expect(
      text.contains("the raw LiDAR gains ") && text.contains("(2 scenes: too few for an interval)"))
    #expect(!text.contains("may be none"))
    let one = try await results(Array(six.prefix(1)))
    let alone = ObjectFindings(verdict: ObjectVerdict(one)).sentences.joined(separator: "\n")
    #expect(
      alone.contains("(1 object; one scene)")
        && alone.contains("(1 scene: too few for an interval)"))
    #expect(!alone.contains("["))
    let values = ObjectVerdict(one)
    #expect(values.depthCosts.allSatisfy { $0.low == nil && $0.excludesZero == nil })
  }

  @Test("a map without boxes is in the first and the last table only; failures are counted by reason")
  func tables() async throws {
    var plan = ObjectPlan()
    plan.boxMethods = ["pca-xz", "auto"]
    plan.boxes.minimumPoints = 40
    plan.points.flips = RowFlips(for: BoxScene().conventions)
    plan.points.maskThreshold = 0.6
    let results = try await results(six, plan: plan)
    let sections = ObjectReport(results: results).sections
    func section(_ title: String) throws -> String {
      try #require(sections.first { $0.title.hasPrefix(title) }?.tables.first).markdown
    }
    #expect(try section("By depth map").contains("| spec "))
    #expect(try !section("By box method").contains("| spec "))
    let failures = try section("Objects without a box")
    #expect(failures.contains("| spec ") && failures.contains("no depth map") && failures.contains("| all "))
    #expect(try section("Detections").contains("| box "))
    #expect(try section("By visibility").contains("full"))
    let notes = ObjectReport(results: results).notes
    #expect(notes[1].contains("boxes.minimumPoints 40") && notes[1].contains("boxMethods pca-xz/auto"))
    #expect(
      notes[1].contains("points.flips.boxToDepth true") && notes[1].contains("points.maskThreshold 0.6"))
  }

  @Test("objects.csv: one row each, full precision, empty where there is nothing")
  func csv() async throws {
    let one = Array(six.prefix(1))
    let unscored = try await results(one) { $0.object.score = .nan }
    let results = try await results(one) { $0.object.score = 0.9266759 }
    let table = ObjectTables.objects(results)
    let (columns, rows) = (table.columns, Array(table.rows))
    func cell(_ row: Int, _ name: String) throws -> DataTable.Cell {
      rows[row][try #require(columns.firstIndex(of: name))]
    }
    #expect(Set(columns).count == columns.count)
    #expect(table.rows.count == 2 * results.plan.boxMethods.count + 1)
    #expect(try cell(0, "score") == .text("0.9266759"))
    let record = try #require(results.records.first)
    #expect(try cell(0, "iou") == .number(try #require(record.errors).iou))
    #expect(try cell(0, "placement_box_cm") == .number(try #require(record.placement(.box)).total))
    let median = try #require(record.view).medianDepth
    #expect(try cell(0, "label") == .text(Quantity.fixed(median, 2) + " m"))
    let row = try #require(ObjectTables.objects(unscored).rows.first)
    #expect(row[4] == .empty && row[8] == .text("low_score"))
    // spec has no map: no method, no box, but the reason.
    let last = try #require(rows.firstIndex { $0[5] == .text("spec") })
    #expect(try cell(last, "status") == .text("no_map") && cell(last, "method") == .empty)
    #expect(try cell(last, "box_x_m") == .empty && cell(last, "placement_box_cm") == .empty)
    #expect(try cell(last, "true_x_m") == .number(0.1))
  }

  @Test("box methods are ranked by IoU; one that boxes far fewer objects than another has no place")
  func boxMethods() async throws {
    let results = try await results(six)
    let boxes = try #require(ObjectVerdict(results).boxes)
    #expect(boxes.depth == "lidar" && boxes.leftOut.isEmpty)
    #expect(Set(boxes.ranking.map(\.name)) == Set(results.plan.boxMethods))
    #expect(boxes.ranking.map(\.value) == boxes.ranking.map(\.value).sorted(by: >))
    let (best, next) = (boxes.ranking[0], try #require(boxes.next))
    #expect((next.name, next.reference) == (best.name, boxes.ranking[1].name))
    #expect(next.objects == 6 && abs(next.value - best.value) < 1e-12)
    // Values survive the file.
    let verdict = ObjectVerdict(results)
    let data = try JSONEncoder().encode(verdict)
    #expect(try JSONDecoder().decode(ObjectVerdict.self, from: data) == verdict)
  }
}

extension ReportDocument.Section {
  fileprivate var tables: [DisplayTable] {
    blocks.compactMap { if case .table(let block) = $0 { block.table } else { nil } }
  }
}
