import DepthCore
import DepthFusion
import DepthObjects
import Foundation
import FathomTestSupport
import Testing

@testable import DepthEvaluation
@testable import DepthVerdicts

/// The rows of a scene's only frame.
private func rows(
  _ scene: BoxScene, _ plan: ObjectPlan = .all, methods: String = "lidar-bilinear", seed: UInt64 = 0
) throws -> [ObjectRecord] {
  try found(scene, plan, methods: methods, seed: seed).records
}

private func found(
  _ scene: BoxScene, _ plan: ObjectPlan, methods: String = "lidar-bilinear", seed: UInt64 = 0,
  detections: FrameDetections? = nil
) throws -> FrameObjects {
  var whole = EvaluationPlan(methods: try MethodCatalogue.parse(methods), seed: seed)
  whole.objects = plan
  let context = SceneContext(header: scene.header, name: scene.header.name)
  return whole.objects(
    in: scene.frame, of: context,
    detections ?? FrameDetections(stored: [(7, scene.object)], conventions: scene.conventions),
    rows: whole.evaluate(scene.frame, of: context, keepsPredictions: true))
}

extension ObjectPlan {
  /// By every box method.
  fileprivate static var all: ObjectPlan {
    var plan = ObjectPlan()
    plan.boxMethods = BoxMethod.all.map(\.id)
    return plan
  }
}

@Suite("Objects of a frame")
struct ObjectEvaluationTests {
  @Test("exact depth: nearly the true box, the true distance, the place where it should be")
  func exact() throws {
    let scene = BoxScene()
    let rows = try rows(scene)
    #expect(rows.compactMap(\.depth).firstAppearances == ["lidar", "truth"])
    #expect(rows.count == 2 * BoxMethod.all.count && rows.allSatisfy { $0.status == .ok })
    for row in rows where row.method == "auto" {
      #expect(row.object.index == 7 && row.object.score == 0.9)
      let errors = try #require(row.errors)
      #expect(errors.yawDegrees < 0.3)
      // The mask is coarser than the depth: its rim shows the wall behind.
      #expect(errors.iou > 0.93, "\(errors.iou)")
      let placement = try #require(row.placement(.box)).total
      #expect(placement < 1.5, "\(placement)")
      #expect(row.view?.labelError == 0)
    }
    // The same pixels of the same depth.
    let halves = rows.prefix(BoxMethod.all.count).map(\.fit)
    #expect(halves == rows.dropFirst(BoxMethod.all.count).map(\.fit))
  }

  @Test("every error of a row is that of its box")
  func recomputed() throws {
    let scene = BoxScene()
    var plan = ObjectPlan()
    plan.boxMethods = ["pca-xz"]
    let row = try #require(try rows(scene, plan).first)
    let (box, truth) = (try #require(row.fit).box, scene.truth)
    let errors = try #require(row.errors)
    let step = box.center - truth.center
    let sight = truth.center / (truth.center * truth.center).sum().squareRoot()
    #expect(abs(errors.centerAlongRay - (step * sight).sum()) < 1e-12)
    // Both lie on their boxes' bottoms, raised by 2 cm.
    let place = step + SIMD3(0, (truth.size.y - box.size.y) / 2, 0)
    let distance = 100 * (place * place).sum().squareRoot()
    #expect(abs(try #require(row.placement(.box)).total - distance) < 1e-9)
    // The middle of the image box at the median depth.
    let image = scene.object.box.flipped(imageHeight: 480)
    let median = try #require(row.view).medianDepth
    let middle = scene.camera.point(
      u: Double(image.minX + image.maxX) / 2, v: Double(image.minY + image.maxY) / 2, depth: median)
    let from = middle - (truth.center - SIMD3(0, truth.size.y / 2 - 0.02, 0))
    let expected = 100 * (from * from).sum().squareRoot()
    #expect(abs(try #require(row.placement(.depth(.centre))).total - expected) < 1e-9)
    #expect(abs(try #require(row.view).effectWidth - Double(image.width) * median / 530) < 1e-9)
    let range = (truth.center * truth.center).sum().squareRoot()
    #expect(row.object.range == range)
    // The ray through the middle hits the box, and so no plane but the floor behind it, if any.
    for height in row.planeHeights.compactMap({ $0 }) { #expect(abs(height - BoxScene.floor) < 0.01) }
  }

  @Test("an effect's rise and width are the plan's")
  func effects() throws {
    var plan = ObjectPlan()
    plan.boxMethods = ["six-point"]
    (plan.effect.largestRise, plan.effect.widths) = (0, 0.7...0.7)
    let changed = try #require(try rows(BoxScene(), plan).first)
    #expect(changed.view?.effectWidth == 0.7)
    plan.effect = EffectOptions()
    let standard = try #require(try rows(BoxScene(), plan).first)
    // Both places move alike by the rise where both boxes are high enough; the ray's place does not move with them.
    let (a, b) = (try #require(changed.placement(.box)), try #require(standard.placement(.box)))
    #expect(abs(a.total - b.total) < 1e-9)
    #expect(changed.placement(.depth(.centre)) != standard.placement(.depth(.centre)))
  }

  @Test("every way to have no box has a status and a reason")
  func failures() throws {
    var plan = ObjectPlan()
    (plan.boxMethods, plan.depths) = (["pca-xz", "six-point"], ["lidar", "spec"])
    func statuses(_ scene: BoxScene) throws -> [String] {
      try rows(scene, plan, methods: "spec").map { row in
        #expect((row.status == .ok) == (row.reason == nil) && (row.status == .ok) == (row.fit != nil))
        return "\(row.depth ?? "-") \(row.method ?? "-") \(row.status.rawValue)"
      }
    }
    // No relative map, so that spec has none either.
    #expect(try statuses(BoxScene()) == ["lidar pca-xz ok", "lidar six-point ok", "spec - no_map"])
    var scene = BoxScene()
    scene.object.score = 0.75
    #expect(try statuses(scene) == ["- - low_score"])
    scene = BoxScene()
    scene.frame.confidence = Raster(width: 128, height: 96, filledWith: 1)
    #expect(try statuses(scene).prefix(2) == ["lidar pca-xz no_depth", "lidar six-point no_depth"])
    scene = BoxScene()
    scene.object.box.maxX = .infinity
    #expect(try statuses(scene).prefix(1) == ["lidar pca-xz bad_image_box"])
    scene = BoxScene()
    scene.frame.confidence = Raster(width: 128, height: 96, filledWith: 0)
    for column in 62..<66 { scene.frame.confidence?[45, column] = 2 }
    #expect(try statuses(scene).prefix(2) == ["lidar pca-xz too_few_points", "lidar six-point ok"])
  }

  @Test("a z-up world gives the same as a y-up one")
  func upAxis() throws {
    let plain = BoxScene()
    var turned = plain
    turned.header.upAxis = .z
    // (x, y, z) of a y-up world is (x, −z, y) of a z-up one.
    func lie(_ v: SIMD3<Double>) -> SIMD3<Double> { [v.x, -v.z, v.y] }
    let pose = plain.camera.worldFromCamera
    turned.frame.worldFromCamera = RigidTransform(
      xAxis: lie(pose.xAxis), yAxis: lie(pose.yAxis), zAxis: lie(pose.zAxis),
      translation: lie(pose.translation))
    turned.object.truth?.center = lie(plain.truth.center)
    #expect(try rows(turned).map(\.errors) == rows(plain).map(\.errors))
    #expect(try rows(turned).map(\.object) == rows(plain).map(\.object))
  }

  @Test("without true box and true depth there are boxes and labels, but no errors")
  func withoutTruth() throws {
    var scene = BoxScene()
    (scene.object.truth, scene.frame.truth, scene.header.truthSize) = (nil, nil, nil)
    let found = try found(scene, .all)
    let lidar = found.records.filter { $0.depth == "lidar" }
    #expect(lidar.count == BoxMethod.all.count && lidar.allSatisfy { $0.fit != nil && $0.errors == nil })
    #expect(lidar.allSatisfy { $0.placements.isEmpty && $0.view?.labelError == nil })
    #expect(found.records.last?.status == .noMap)
    let results = ObjectResults(found, plan: ObjectPlan(), seed: 0)
    #expect(results.detection == nil)
    #expect(results.overall(depth: "lidar", method: "auto")?[.iou] == nil)
  }

  @Test("where the LiDAR is not confident, the truth is looked at only if asked for")
  func sampling() throws {
    var scene = BoxScene()
    for row in 0..<96 { for column in 0..<64 { scene.frame.confidence?[row, column] = 0 } }
    var plan = ObjectPlan()
    plan.boxMethods = ["auto"]
    func points(_ sampling: ObjectPlan.Sampling) throws -> [Int] {
      plan.sampling = sampling
      return try rows(scene, plan).compactMap { $0.view?.pointCount }
    }
    let confident = try points(.confident)
    #expect(confident.count == 2 && confident[0] == confident[1])
    let all = try points(.lidar)
    #expect(all[0] == confident[0] && all[1] > confident[1])
    // The truth at twice the resolution has four times as many points.
    scene.frame.truth = scene.frame.lidar.nearest(at: RasterSize(width: 256, height: 192))
    let own = try points(.map)
    #expect(own[0] == confident[0] && own[1] > 3 * all[1])
    #expect(try points(.lidar) == all)
  }

  @Test("other seeds change nothing but the intervals of yaws")
  func seeds() throws {
    let scene = BoxScene(yaw: 0.3)
    var plan = ObjectPlan()
    plan.boxMethods = ["pca-xz", "closeness", "robust-pca"]
    let (a, b, again) = (try rows(scene, plan), try rows(scene, plan, seed: 5), try rows(scene, plan))
    #expect(a.map(\.fit) == again.map(\.fit))
    #expect(a.map { $0.fit?.box } == b.map { $0.fit?.box })
  }
}

@Suite("Decoded detections")
struct DecodedObjectTests {
  /// One anchor of class "box" whose mask is the scene's.
  private func output(_ scene: BoxScene, score: Float = 0.9) -> DetectorOutput {
    let box = scene.object.box
    var head = DetectorHead(
      classCount: 2, coefficientCount: 1, anchorCount: 1, prototypeSize: RasterSize(width: 160, height: 120),
      inputSize: RasterSize(width: 640, height: 480))
    head.classNames = ["cup", "box"]
    return DetectorOutput(
      head: head,
      predictions: [
        (box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2, box.width, box.height, 0.1, score, 1,
      ],
      prototypes: (scene.object.mask?.values ?? []).map { $0 > 0.5 ? 20 : -20 })
  }

  @Test("a decoded detection finds its true box, and gives what the stored one gives")
  func decoded() throws {
    let scene = BoxScene()
    var plan = ObjectPlan()
    (plan.decoding.origin, plan.boxMethods) = (.bottomLeft, ["pca-xz", "auto"])
    var unmasked = scene.object
    unmasked.mask = nil
    let detections = FrameDetections(
      stored: [(0, unmasked)], conventions: scene.conventions, output: output(scene),
      classNames: ["cup", "box"])
    let found = try found(scene, plan, detections: detections)
    let stored = try rows(scene, plan)
    #expect(found.records.map(\.object.label) == stored.map(\.object.label))
    for (a, b) in zip(found.records, stored) {
      #expect(abs(try #require(a.errors).iou - (try #require(b.errors).iou)) < 0.02)
    }
    #expect(found.detections.first?.classes.first?.counts == DetectionCounts(matched: 1))
  }

  @Test("a wrong class is spurious and has no true box; its object is missed")
  func wrongClass() throws {
    let scene = BoxScene()
    var plan = ObjectPlan()
    plan.decoding.origin = .bottomLeft
    let detections = FrameDetections(
      stored: [(0, scene.object)], conventions: scene.conventions, output: output(scene),
      classNames: ["cup", "mug"])
    let found = try found(scene, plan, detections: detections)
    #expect(found.records.allSatisfy { $0.object.truth == nil && $0.errors == nil })
    let results = ObjectResults(found, plan: plan, seed: 0)
    let overall = try #require(results.detection?.overall)
    #expect(overall.counts == DetectionCounts(spurious: 1, missed: 1))
    #expect(results.detection?.rows.map(\.label) == ["box", "mug", nil])
  }

  @Test("a stored detection below the threshold is a miss")
  func missed() throws {
    var scene = BoxScene()
    scene.object.score = 0.5
    let results = ObjectResults(try found(scene, .all), plan: .all, seed: 0)
    #expect(results.detection?.overall?.counts == DetectionCounts(missed: 1))
    #expect(results.detection?.overall?.counts.precision == nil && results.objectCount == 1)
  }
}
