import DepthCore
import Testing

@testable import DepthSynthesis

@Suite("Ray casting is exact")
struct RayCastingTests {
  /// 100 pixels of focal length, centre of the image on a pixel's centre.
  private let camera = CameraIntrinsics(
    fx: 100, fy: 100, cx: 40.5, cy: 30.5, imageSize: RasterSize(width: 81, height: 61))

  private func room(_ solids: [Solid]) -> Room {
    Room(
      shell: OrientedBox(center: [0, 0, 0], size: [10, 4, 12], yaw: 0), walls: .plaster, floor: .parquet,
      ceiling: .ceiling,
      furniture: [
        PlacedFurniture(label: "x", solids: solids, box: OrientedBox(center: .zero, size: .one, yaw: 0))
      ],
      viewpoint: .zero, heading: 0, pitch: 0, sway: 0)
  }

  private func caster(_ solids: [Solid], _ pose: RigidTransform = .identity) -> RayCaster {
    RayCaster(room(solids), solids: solids, intrinsics: camera, worldFromCamera: pose)
  }

  private func box(at center: SIMD3<Double>, _ size: SIMD3<Double>, yaw: Double) -> Solid {
    Solid(shape: .box, frame: OrientedBox(center: center, size: size, yaw: yaw), material: .wood)
  }

  @Test("an empty room gives its walls, floor and ceiling")
  func emptyRoom() {
    let hit = caster([]).hit(u: 40.5, v: 30.5)
    #expect(abs(hit.depth - 6) < 1e-12)
    #expect(hit.solid == RayCaster.shell)
    // 45° down would need v = 130.5; at v = 60.5 the floor, 2 m below, is 2/0.3 m away, behind the wall.
    #expect(abs(caster([]).hit(u: 40.5, v: 60.5).depth - 6) < 1e-12)
    let lifted = RigidTransform(
      xAxis: [1, 0, 0], yAxis: [0, 1, 0], zAxis: [0, 0, 1], translation: [0, -1.5, 0])
    #expect(abs(caster([], lifted).hit(u: 40.5, v: 60.5).depth - 0.5 / 0.3) < 1e-12)
  }

  @Test("the front face of a box has constant planar depth")
  func boxFace() {
    let depth = caster([box(at: [0, 0, -3], [1, 1, 1], yaw: 0)]).depthMap()
    #expect(depth[30, 40] == 2.5)
    #expect(depth[30 + 19, 40 - 19] == 2.5)  // within 0.5/2.5 · 100 = 20 pixels of the centre
    #expect(depth[30 + 21, 40] == 6)
  }

  @Test("a box turned by 45° shows its edge, and its side recedes by a metre a metre")
  func turnedBox() {
    let side = 2.0.squareRoot()
    let caster = caster([box(at: [0, 0, -4], [side, 1, side], yaw: .pi / 4)])
    #expect(abs(caster.hit(u: 40.5, v: 30.5).depth - 3) < 1e-12)
    // x = z·(u − cx)/f and z = 3 + x  ⇒  z = 3/(1 − 0.1).
    #expect(abs(caster.hit(u: 50.5, v: 30.5).depth - 3 / 0.9) < 1e-12)
  }

  @Test("a cylinder is nearest on its axis and has a lid")
  func cylinder() {
    let solid = Solid(
      shape: .cylinder, frame: OrientedBox(center: [0, 0, -3], size: [1, 1, 1], yaw: 0.7), material: .clay)
    let front = caster([solid])
    #expect(abs(front.hit(u: 40.5, v: 30.5).depth - 2.5) < 1e-12)
    // The tangent from the axis distance 3 with radius 0.5 is at sin φ = 1/6.
    let tangent = 100 * (1.0 / 6) / (1 - 1.0 / 36).squareRoot()
    #expect(front.hit(u: 40.5 + tangent - 0.01, v: 30.5).solid == 0)
    #expect(front.hit(u: 40.5 + tangent + 0.01, v: 30.5).solid == RayCaster.shell)
    let above = RigidTransform(
      xAxis: [1, 0, 0], yAxis: [0, 0, -1], zAxis: [0, 1, 0], translation: [0, 1.5, -3])
    #expect(abs(caster([solid], above).hit(u: 40.5, v: 30.5).depth - 1) < 1e-12)
  }

  @Test("an L-shape is open in its corner")
  func lShape() {
    let long = box(at: [0, 0, -4], [2, 1, 0.5], yaw: 0)
    let short = box(at: [-0.75, 0, -3.5], [0.5, 1, 0.5], yaw: 0)
    let caster = caster([long, short])
    #expect(abs(caster.hit(u: 40.5 - 0.75 / 3.25 * 100, v: 30.5).depth - 3.25) < 1e-12)
    #expect(abs(caster.hit(u: 40.5, v: 30.5).depth - 3.75) < 1e-12)
  }

  @Test("unprojected truth lies on the bodies, whatever the pose", arguments: [0, 3])
  func pointsLieOnSurfaces(frame: Int) {
    let stage = SceneStage(named: "room-01", options: SynthesisPreset.demo.options)
    let caster = stage.caster(frame, RasterSize(width: 64, height: 48))
    let solids = stage.room.solids
    let hits = caster.render { hit, u, v in (hit, caster.rays.point(u: u, v: v, depth: hit.depth)) }
    let truth = caster.depthMap()
    let camera = stage.camera.scaled(to: truth.size)
    let pose = stage.worldFromCamera(frame)
    var bodies = Set<Int>()
    for (index, (hit, _)) in hits.values.enumerated() {
      let (u, v) = (Double(index % 64) + 0.5, Double(index / 64) + 0.5)
      let z = Double(truth.values[index])
      let point = pose([(u - camera.cx) / camera.fx * z, -(v - camera.cy) / camera.fy * z, -z])
      let solid = hit.solid == RayCaster.shell ? nil : solids[hit.solid]
      #expect(abs(distance(from: point, to: solid, in: stage.room)) < 1e-5)
      bodies.insert(hit.solid)
    }
    #expect(bodies.count >= 5)
  }

  /// Signed distance to the surface of a convex body, exact on it.
  private func distance(from point: SIMD3<Double>, to solid: Solid?, in room: Room) -> Double {
    guard let solid else {
      return -boxDistance(room.shell.rotated(point - room.shell.center), room.shell.size)
    }
    let p = solid.local(point)
    guard solid.shape == .cylinder else { return boxDistance(p, solid.frame.size) }
    return max(
      (p.x * p.x + p.z * p.z).squareRoot() - solid.frame.size.x / 2, abs(p.y) - solid.frame.size.y / 2)
  }

  private func boxDistance(_ p: SIMD3<Double>, _ size: SIMD3<Double>) -> Double {
    max(abs(p.x) - size.x / 2, abs(p.y) - size.y / 2, abs(p.z) - size.z / 2)
  }

  @Test("tiles hide nothing: the same hits as testing every body")
  func tilesLoseNothing() {
    let stage = SceneStage(named: "room-03", options: SynthesisPreset.demo.options)
    let solids = stage.room.solids
    let caster = stage.caster(0, RasterSize(width: 120, height: 90))
    let views = solids.map { SolidView($0.frame, shape: $0.shape, from: caster.rays) }
    let shell = SolidView(stage.room.shell, shape: .box, from: caster.rays)
    let differing = caster.render { hit, u, v in
      let nearest = views.map { $0.entry(u: u, v: v) }.min() ?? .infinity
      return hit.depth != min(nearest, shell.exit(u: u, v: v))
    }
    #expect(!differing.values.contains(true))
  }
}
