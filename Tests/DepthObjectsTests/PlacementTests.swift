import DepthCore
import Foundation
import Testing

@testable import DepthObjects

@Suite("Placement of effects")
struct PlacementTests {
  private static let intrinsics = CameraIntrinsics(
    fx: 200, fy: 200, cx: 126, cy: 99, imageSize: RasterSize(width: 256, height: 192))
  /// 1.4 m up, looking 30° down along −z.
  private static let camera: PosedCamera = {
    let (c, s) = (cos(Double.pi / 6), sin(Double.pi / 6))
    return PosedCamera(
      intrinsics,
      RigidTransform(xAxis: [1, 0, 0], yAxis: [0, c, -s], zAxis: [0, s, c], translation: [0, 1.4, 0]), .arkit)
  }()

  /// What the camera sees of a floor at 0, and of tables 0.7 m high where `isTable` says, beyond a wall nothing.
  private static func depth(isTable: (_ x: Double, _ z: Double) -> Bool) -> DepthMap {
    var values: [Float] = []
    for row in 0..<192 {
      for column in 0..<256 {
        let ray = camera.direction(u: Double(column) + 0.5, v: Double(row) + 0.5)
        func hit(_ height: Double) -> Double { (height - camera.position.y) / ray.y }
        let table = hit(0.7)
        let point = camera.position + ray * table
        let depth = table > 0 && isTable(point.x, point.z) ? table : hit(0)
        values.append(depth > 0 && depth < 6 ? Float(depth) : .nan)
      }
    }
    return DepthMap(width: 256, height: 192, values: values)
  }

  @Test("floor and two tables of one height are three planes, exactly where they are")
  func planes() throws {
    let map = Self.depth { x, z in abs(x) > 0.25 && abs(x) < 0.9 && z < -1 && z > -1.8 }
    let planes = HorizontalPlaneFinder().planes(in: map, camera: Self.camera)
    #expect(planes.count == 3)
    #expect(planes.map { abs($0.height - ($0.height < 0.3 ? 0 : 0.7)) < 1e-5 }.allSatisfy { $0 })
    #expect(planes.count { $0.height > 0.3 } == 2)
    #expect(planes.allSatisfy { $0.tilt < 1e-4 })
    let table = try #require(planes.first { $0.height > 0.3 && $0.covers(x: 0.5, z: -1.4) })
    #expect(abs(table.area - 0.65 * 0.8) < 0.3)
    #expect(!table.covers(x: -0.5, z: -1.4))
    #expect(HorizontalPlaneFinder().planes(in: map, camera: Self.camera) == planes)
  }

  @Test("a ray meets the nearest plane within its extent")
  func hits() throws {
    let map = Self.depth { x, z in abs(x) < 0.5 && z < -1 && z > -1.8 }
    let planes = HorizontalPlaneFinder().planes(in: map, camera: Self.camera)
    for target in [SIMD3(0.2, 0.7, -1.4), [0.3, 0, -1.1], [1.4, 0, -2.2]] {
      let seen = try #require(Self.camera.project(target))
      let hit = try #require(PlaneHit.first(u: seen.u, v: seen.v, camera: Self.camera, planes: planes))
      let error = hit.position - target
      #expect((error * error).sum().squareRoot() < 1e-4)
      #expect(abs(hit.depth - seen.depth) < 1e-4)
    }
    // Above the horizon, and beyond every extent.
    #expect(PlaneHit.first(u: 128, v: -300, camera: Self.camera, planes: planes) == nil)
    let far = try #require(Self.camera.project([0, 0, -30]))
    #expect(PlaneHit.first(u: far.u, v: far.v, camera: Self.camera, planes: planes) == nil)
  }

  @Test("nothing level, nothing confident: no plane")
  func noPlanes() {
    let wall = DepthMap(width: 256, height: 192, filledWith: 2)
    let level = PosedCamera(Self.intrinsics, .identity, .arkit)
    #expect(HorizontalPlaneFinder().planes(in: wall, camera: level).isEmpty)
    let map = Self.depth { _, _ in false }
    let low = Raster<UInt8>(width: 256, height: 192, filledWith: 1)
    #expect(HorizontalPlaneFinder().planes(in: map, confidence: low, camera: Self.camera).isEmpty)
    let tiny = DepthMap(width: 3, height: 2, filledWith: 2)
    #expect(HorizontalPlaneFinder().planes(in: tiny, camera: Self.camera).isEmpty)
    let up = PosedCamera(
      Self.intrinsics,
      RigidTransform(xAxis: [1, 0, 0], yAxis: [0, 0, 1], zAxis: [0, -1, 0], translation: .zero), .arkit)
    #expect(HorizontalPlaneFinder().planes(in: wall, camera: up).isEmpty)  // a ceiling faces down
  }

  @Test("a pose of lost tracking gives no plane", arguments: [Double.nan, .infinity, 1e300])
  func lostTracking(_ value: Double) {
    var pose = Self.camera.worldFromCamera
    pose.translation.y = value
    let camera = PosedCamera(Self.intrinsics, pose, .arkit)
    #expect(HorizontalPlaneFinder().planes(in: Self.depth { _, _ in false }, camera: camera).isEmpty)
  }

  @Test("the floor and the couch of a simulated room, from its noisy LiDAR")
  func simulatedRoom() throws {
    let view = SyntheticView.room
    let planes = HorizontalPlaneFinder().planes(
      in: view.frame.lidar, confidence: view.frame.confidence, camera: view.camera)
    #expect(planes.count == 2)
    let floor = try #require(planes.first { abs($0.height + 1.4) < 0.02 })
    #expect(floor.area > 1)
    let couch = try #require(view.objects.first { $0.label == "couch" }?.truth)
    let seat = try #require(planes.first { $0.height > -1.3 })
    #expect(abs(seat.height - couch.center.y - couch.size.y / 2) < 0.02)
  }

  @Test("effect width and rise as the app has them")
  func effects() {
    func width(_ pixels: Float, _ depth: Double) -> Double {
      EffectPlacement.width(
        imageBox: PixelRectangle(minX: 10, minY: 0, maxX: 10 + pixels, maxY: 5), depth: depth,
        intrinsics: Self.intrinsics)
    }
    #expect(width(100, 2) == 1 && width(1, 1) == 0.1 && width(250, 4) == 3)
    let box = OrientedBox(center: [1, 2, 3], size: [4, 1, 2], yaw: 0.3)
    #expect(EffectPlacement(on: box).position == [1, 1.52, 3])
    let flat = OrientedBox(center: [1, 2, 3], size: [4, 0.02, 2], yaw: 0.3)
    #expect(EffectPlacement(on: flat).position == [1, 2, 3])
  }

  @Test("the error has a part along the ray and a part across it, in centimetres")
  func errors() {
    let truth = OrientedBox(center: [0, 0, -2], size: [1, 0.04, 1], yaw: 0)  // an effect at (0, 0, −2)
    let error = PlacementError(
      of: EffectPlacement(position: [0.03, 0, -2.04]), truth: truth, camera: .zero)
    #expect(abs(error.total - 5) < 1e-9 && abs(error.alongRay - 4) < 1e-9 && abs(error.acrossRay - 3) < 1e-9)
  }

  @Test("the lowest edge of a box, however the phone is held")
  func anchors() {
    let box = PixelRectangle(minX: 10, minY: 20, maxX: 30, maxY: 60)
    func anchor(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ convention: CameraConvention) -> [Double] {
      let z = SIMD3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
      let pose = RigidTransform(xAxis: x, yAxis: y, zAxis: z, translation: .zero)
      let camera = PosedCamera(Self.intrinsics, pose, convention)
      let point = PlacementAnchor.bottomCentre.point(in: box, seenBy: camera)
      #expect(PlacementAnchor.centre.point(in: box, seenBy: camera) == (20, 40))
      return [point.u, point.v]
    }
    #expect(anchor([1, 0, 0], [0, 1, 0], .arkit) == [20, 60])
    #expect(anchor([1, 0, 0], [0, -1, 0], .opencv) == [20, 60])
    #expect(anchor([-1, 0, 0], [0, -1, 0], .arkit) == [20, 20])
    // Upright: the image's right points down, or up.
    #expect(anchor([0, -1, 0], [1, 0, 0], .arkit) == [30, 40])
    #expect(anchor([0, 1, 0], [-1, 0, 0], .arkit) == [10, 40])
    #expect(anchor([0, -1, 0], [-1, 0, 0], .opencv) == [30, 40])
  }

  @Test("every method on a box that stands on the floor")
  func methods() throws {
    let truth = OrientedBox(center: [0, 0.15, -1.6], size: [0.3, 0.3, 0.2], yaw: 0)
    let planes = HorizontalPlaneFinder().planes(in: Self.depth { _, _ in false }, camera: Self.camera)
    let bounds = try #require(truth.imageBounds(seenBy: Self.camera))
    let object = ObjectPoints(points: [], depths: [], camera: Self.camera, imageBox: bounds, medianDepth: 1.9)
    #expect(
      PlacementMethod.all.map(\.id) == [
        "box", "depth@centre", "depth@bottom-centre", "hit-test@centre", "hit-test@bottom-centre",
      ])
    var errors: [String: PlacementError] = [:]
    for outcome in PlacementOutcome.all(of: object, box: truth, truth: truth, planes: planes) {
      errors[outcome.method.id] = outcome.error
    }
    #expect(errors["box"]?.total == 0)
    // The lower edge of the picture of the box lies on its front edge, half its depth before its middle.
    let contact = try #require(errors["hit-test@bottom-centre"])
    #expect(abs(contact.total - 10.2) < 0.5)
    // A tap on the middle goes past the object to the floor behind it.
    #expect(try #require(errors["hit-test@centre"]).alongRay > 10)
    #expect(PlacementMethod.box.placement(of: object, box: nil, planes: planes) == nil)
    #expect(PlacementMethod.hitTest(.centre).placement(of: object, box: truth, planes: []) == nil)
  }
}
