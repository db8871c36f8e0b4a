import PlainText
import DepthCharts
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthObjects
import Statistics
import TestSupport
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
    let found = await EvaluationRun.evaluateObjects(&context, plan: whole, frames: 0..<1, jobs: 1) {
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
    let text = ObjectFindings(results: results).sentences
    let cost = try #require(
      results.difference(.placement, depth: "lidar", method: "auto", against: "truth", "auto"))
    // 2 % of about 1.6 m.
    #expect(cost.objects == 6 && cost.difference > 2 && cost.difference < 4.5)
    let raw = try #require(results.overall(depth: "lidar", method: "auto")?[.placement])
    #expect(text[0].hasPrefix("Boxed by `auto`, the median placement error of an effect is "))
    #expect(text[0].contains("\(Quantity.fixed(raw.value, 1)) cm ["))
    #expect(text[0].contains("means over 6 scenes"))
    #expect(
      text[1].contains(
        "the raw LiDAR costs \(Quantity.fixed(cost.difference, 1)) cm (95 % interval "))
    #expect(text[1].contains("which excludes zero) on 6 objects"))
    #expect(text.contains { $0.hasPrefix("The distance label is off by a median of ") })
    #expect(text.contains { $0.contains("precision 1.00 [1.00, 1.00], recall 1.00") })
    #expect(
      text.last == "Without a box by `auto`: 6 of 6 in the depth of `spec` (the scene has no relative map).")
  }

  @Test("figures hold the estimates and intervals of the depth maps and box methods")
  func figures() async throws {
    let found = try await results(six)
    let figures = ObjectFigures.all(found).compactMap(\.self)
    #expect(figures.map(\.name) == ["objects-placement", "objects-iou"])
    for (figure, metric) in zip(figures, [ObjectMetric.placement, .iou]) {
      guard case .chart(let chart) = figure else { continue }
      // `spec` gave no map, so it has no place.
      #expect(chart.categories == ["lidar", "truth"])
      #expect(
        chart.series.map(\.name).prefix(3) == ["auto", "pca-xz", "six-point"] && chart.series.count == 4)
      let estimate = try #require(found.overall(depth: "lidar", method: "pca-xz")?[metric])
      #expect(chart.series[1].y[0] == estimate.value && chart.series[1].low?[0] == estimate.interval?.low)
      #expect(chart.alt.contains("means over 6 scenes with 95 % intervals"))
    }
    let one = ObjectFigures.all(try await results([six[0]])).compactMap(\.self)
    #expect(one.count == 2 && one[0].alt.contains("one scene, so no intervals"))
  }

  @Test("objects without a true box are no failures to place an effect, and are told")
  func someTruth() async throws {
    let results = try await results(six) { scene in
      if ["room-4", "room-5"].contains(scene.header.name) { scene.object.truth = nil }
    }
    let group = try #require(results.overall(depth: "lidar", method: "auto"))
    #expect(group.objects == 6 && group.boxed == 6 && group.known == 4)
    let text = ObjectFindings(results: results).sentences
    #expect(text.contains { $0.contains("`box` ") && $0.contains("(4 of 4)") && !$0.contains("of 6") })
    #expect(
      text.contains { $0.hasPrefix("2 of 6 detections above the confidence threshold have no true box") })
    let places = try #require(
      ObjectReport(results: results).sections.first { $0.title == "Ways to place an effect" })
    #expect(places.table.markdown.contains("(4 of 4)"))
  }

  @Test("a frame whose tracking was lost is left out and named, with its scene")
  func lostTracking() async throws {
    let lost = try await results(six) { scene in
      guard scene.header.name == "room-2" else { return }
      let nowhere = SIMD3<Double>(repeating: .nan)
      scene.frame.worldFromCamera = RigidTransform(
        xAxis: nowhere, yAxis: nowhere, zAxis: nowhere, translation: nowhere)
    }
    #expect(lost.objectCount == 5 && lost.overall(depth: "lidar", method: "auto")?.scenes == 5)
    #expect(
      ObjectFindings(results: lost).sentences.last
        == "The detections of room-2 (1 frame) are left out: no usable pose (not finite, or no rotation).")
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
    #expect(ObjectFindings(results: nothing).sentences == ["The detections of a are left out: no poses."])
  }

  @Test("few scenes: nothing is said to exclude zero; a gain is called one")
  func fewScenes() async throws {
    // The truth itself is wrong, so that the LiDAR places better.
    let two = try await results(Array(six.prefix(2)), tooFar: 1) { scene in
      for index in scene.frame.truth?.values.indices ?? 0..<0 { scene.frame.truth?.values[index] *= 1.03 }
    }
    let text = ObjectFindings(results: two).sentences.joined(separator: "\n")
    #expect(
      text.contains("the raw LiDAR gains ") && text.contains("(2 scenes: too few for an interval)"))
    #expect(!text.contains("excludes zero") && !text.contains("includes zero"))
    let one = try await results(Array(six.prefix(1)))
    let alone = ObjectFindings(results: one).sentences.joined(separator: "\n")
    #expect(
      alone.contains("(1 object in the raw LiDAR; one scene)")
        && alone.contains("(1 scene: too few for an interval)"))
    #expect(!alone.contains("["))
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
      try #require(sections.first { $0.title.hasPrefix(title) }).table.markdown
    }
    #expect(try section("By depth map").contains("| spec "))
    #expect(try !section("By box method").contains("| spec "))
    let failures = try section("Objects without a box")
    #expect(failures.contains("| spec ") && failures.contains("no_map") && failures.contains("| all "))
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
    #expect(table.rows.count == 2 * BoxMethod.all.count + 1)
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
}
