import DepthCore
import Foundation
import Testing

@testable import DepthObjects

@Suite("Box methods")
struct BoxMethodTests {
  private static let camera = PosedCamera(BoxView.intrinsics, .identity, .arkit)
  private static let rectangle = PixelRectangle(minX: 100, minY: 70, maxX: 140, maxY: 130)

  private func object(_ points: [SIMD3<Double>]) -> ObjectPoints {
    ObjectPoints(
      points: points, depths: points.map { -$0.z }, camera: Self.camera, imageBox: Self.rectangle,
      medianDepth: 2)
  }

  /// Points all over a box.
  private func filled(_ box: PosedBox, count: Int = 3_000) -> [SIMD3<Double>] {
    var generator = SplitMix64(seed: 5)
    return (0..<count).map { _ in
      box.pose(
        box.size * [generator.uniform(-0.5, 0.5), generator.uniform(-0.5, 0.5), generator.uniform(-0.5, 0.5)])
    }
  }

  @Test("names are unique, and the order is that of tables")
  func registry() {
    #expect(
      BoxMethod.all.map(\.id) == [
        "pca-xz", "six-point", "pca-xz-eroded", "min-area-rect", "closeness", "pca-3d", "robust-pca", "auto",
      ])
  }

  @Test("too few points, and points that are none", arguments: BoxMethod.all.map(\.id))
  func refusals(_ id: String) throws {
    let method = try #require(BoxMethod.all.first { $0.id == id })
    let needed = id == "six-point" ? 1 : 10
    let points = Array(
      filled(PosedBox(OrientedBox(center: [0, 0, -2], size: [0.4, 0.2, 0.2], yaw: 0.2))).prefix(10))
    #expect(throws: BoxError.tooFewPoints(found: needed - 1, needed: needed)) {
      try method.box(of: object(Array(points.prefix(needed - 1))))
    }
    var broken = points
    broken[3].y = .nan
    #expect(throws: BoxError.notFinite) { try method.box(of: object(broken)) }
    #expect(try method.box(of: object(points)).diagnostics.pointCount == 10)
  }

  @Test("the same points many times over are not a failure", arguments: BoxMethod.all.map(\.id))
  func degenerate(_ id: String) throws {
    let method = try #require(BoxMethod.all.first { $0.id == id })
    let line = (0..<40).map { SIMD3(0.01 * Double($0), 0, -2) }
    for points in [Array(repeating: SIMD3(0.1, 0.2, -2), count: 12), line] {
      let fit = try method.box(of: object(points))
      #expect(
        fit.box.yaw.isFinite && fit.box.size.x >= 0.02 && fit.box.size.y >= 0.02 && fit.box.size.z >= 0.02)
      #expect(BoxOverlap(fit.posed, fit.posed).iou > 0.999_999)
    }
  }

  @Test("one seed, one answer", arguments: BoxMethod.all.map(\.id))
  func determinism(_ id: String) throws {
    let method = try #require(BoxMethod.all.first { $0.id == id })
    let object = BoxView(.two, noise: 0.003, seed: 4).object(for: method)
    #expect(try method.box(of: object, seed: 3) == method.box(of: object, seed: 3))
  }

  @Test("pca-xz is the formula of the specification", arguments: UInt64(0)..<20)
  func formula(_ seed: UInt64) throws {
    let object = BoxView(.two, noise: 0.01, seed: seed).object(for: .pcaXZ)
    let fit = try BoxMethod.pcaXZ.box(of: object)
    let n = Double(object.points.count)
    let mean = object.points.reduce(SIMD3<Double>.zero, +) / n
    let c = object.points.reduce(into: (xx: 0.0, xz: 0.0, zz: 0.0)) { sum, p in
      sum.xx += (p.x - mean.x) * (p.x - mean.x) / n
      sum.xz += (p.x - mean.x) * (p.z - mean.z) / n
      sum.zz += (p.z - mean.z) * (p.z - mean.z) / n
    }
    #expect(abs(fit.box.yaw - atan2(2 * c.xz, c.xx - c.zz) / 2) < 1e-9)
    // Every point is within, and every side is touched.
    let inverse = PosedBox(fit.box).pose.inverse
    for k in 0..<3 {
      let reach = object.points.map { abs(inverse($0)[k]) }.max() ?? 0
      #expect(abs(reach - fit.box.size[k] / 2) < 1e-12)
    }
  }

  @Test("SceneKit's eulerAngles.y = −θ has the same corners", arguments: [0, 0.4, -1.2, 3])
  func sceneKit(_ yaw: Double) {
    let box = OrientedBox(center: [1, 2, 3], size: [0.4, 0.3, 0.2], yaw: yaw)
    // SceneKit turns x towards −z for positive angles: x' = x·cos φ + z·sin φ, z' = −x·sin φ + z·cos φ.
    let (c, s) = (cos(-yaw), sin(-yaw))
    let local = (0..<8).map { i in
      SIMD3(i & 1 == 0 ? -0.2 : 0.2, i & 2 == 0 ? -0.15 : 0.15, i & 4 == 0 ? -0.1 : 0.1)
    }
    let expected = local.map { SIMD3($0.x * c + $0.z * s + 1, $0.y + 2, -$0.x * s + $0.z * c + 3) }
    for (corner, other) in zip(PosedBox(box).corners, expected) { #expect((corner - other).length < 1e-12) }
  }

  @Test("six-point: corners at the median depth, the centre at the 5 % and 95 % depth")
  func sixPoint() throws {
    // 100 depths 1.51…2.50: z[5] = 1.56, z[95] = 2.46.
    let points = (0..<100).map { SIMD3(0, 0, -1.51 - 0.01 * Double($0)) }
    let box = try BoxMethod.sixPoint.box(of: object(points)).box
    #expect(abs(box.yaw) < 1e-12)
    let pixel = 2 / 212.0
    #expect((box.size - SIMD3<Double>(40 * pixel, 60 * pixel, 0.9)).length < 1e-12)
    // Centre of the rectangle (120, 100) at depth 2, between the two depths along the view.
    #expect((box.center - SIMD3<Double>(-8 * pixel, -4 * pixel, -2.01)).length < 1e-12)
  }

  @Test("six-point: a phone held upright, its image x axis pointing down, keeps the box level")
  func portrait() throws {
    let upright = RigidTransform(xAxis: [0, -1, 0], yAxis: [1, 0, 0], zAxis: [0, 0, 1], translation: .zero)
    var portrait = object((0..<20).map { SIMD3(0, 0, -1.9 - 0.01 * Double($0)) })
    portrait.camera = PosedCamera(BoxView.intrinsics, upright, .arkit)
    let box = try BoxMethod.sixPoint.box(of: portrait).box
    #expect(abs(box.yaw) < 1e-12)
    let pixel = 2 / 212.0
    #expect(abs(box.size.x - 60 * pixel) < 1e-12)
    #expect(abs(box.size.y - 40 * pixel) < 1e-12)
  }

  @Test("a footprint seen whole", arguments: ["min-area-rect", "auto"], [-1.4, -0.3, 0, 0.7, 1.5])
  func wholeFootprint(_ id: String, yaw: Double) throws {
    let method = try #require(BoxMethod.all.first { $0.id == id })
    let truth = OrientedBox(center: [1, 0, -2], size: [0.5, 0.01, 0.3], yaw: yaw)
    let errors = BoxErrors(
      of: try method.box(of: object(filled(PosedBox(truth)))), truth: truth, camera: .zero)
    #expect(errors.yawDegrees < 2)
    #expect(abs(errors.size.x) < 0.02 && abs(errors.size.z) < 0.02)
  }

  @Test("pca-3d finds a tilted box, and its upright box keeps the heading")
  func tilted() throws {
    var pose = RigidTransform(quaternion: [0.9, 0.2, 0.3, -0.1])
    pose.translation = [0.3, 0.1, -2]
    let truth = PosedBox(pose: pose, size: [0.6, 0.3, 0.1])
    let fit = try BoxMethod.pca3D.box(of: object(filled(truth)))
    #expect(BoxOverlap(fit.posed, truth).iou > 0.9)
    let x = fit.posed.pose.xAxis
    #expect((fit.posed.pose.xAxis.cross(fit.posed.pose.yAxis) - fit.posed.pose.zAxis).length < 1e-12)
    #expect(BoxOverlap(fit.posed, PosedBox(fit.box)).iou < 0.9)
    #expect(abs(remainder(of: fit.box.yaw - atan2(x.z, x.x), period: .pi / 2)) < 0.5)
  }

  @Test("robust-pca is not turned by a lump of stray points")
  func strayPoints() throws {
    let truth = OrientedBox(center: [0, 0, -2], size: [0.6, 0.2, 0.2], yaw: 0.3)
    let lump = filled(
      PosedBox(OrientedBox(center: [0.5, 0, -2.7], size: [0.2, 0.2, 0.2], yaw: 0)), count: 600)
    let points = object(filled(PosedBox(truth), count: 2_400) + lump)
    let robust = BoxErrors(of: try BoxMethod.robustPCA.box(of: points), truth: truth, camera: .zero)
    let plain = BoxErrors(of: try BoxMethod.pcaXZ.box(of: points), truth: truth, camera: .zero)
    #expect(robust.yawDegrees < 3)
    #expect(plain.yawDegrees > 10)
  }

  @Test("auto leaves out what the mask took from the wall behind")
  func leakage() throws {
    var generator = SplitMix64(seed: 8)
    let errors = try (0..<UInt64(8)).map { seed -> (auto: Double, closeness: Double) in
      let view = BoxView(.two, noise: 0.003, seed: seed)
      var object = view.object(for: .auto)
      for _ in 0..<(object.points.count / 20) {
        let pixel = (u: generator.uniform(118, 138), v: generator.uniform(86, 106))
        let depth = object.medianDepth + generator.uniform(0.7, 0.9)
        object.points.append(view.camera.point(u: pixel.u, v: pixel.v, depth: depth))
        object.depths.append(depth)
      }
      let fits = try [BoxMethod.auto, .closeness].map { try $0.box(of: object) }
      let ious = fits.map { BoxErrors(of: $0, truth: view.truth, camera: view.camera.position).iou }
      return (ious[0], ious[1])
    }
    #expect(errors.reduce(0) { $0 + $1.auto } / 8 > 0.8)
    #expect(errors.reduce(0) { $0 + $1.closeness } / 8 < 0.5)
  }

  @Test("a nearly square footprint gets an interval, a long one does not")
  func interval() throws {
    let square = PosedBox(OrientedBox(center: [0, 0, -2], size: [0.4, 0.2, 0.4], yaw: 0.3))
    let long = PosedBox(OrientedBox(center: [0, 0, -2], size: [0.6, 0.2, 0.3], yaw: 0.3))
    let fit = try BoxMethod.pcaXZ.box(of: object(filled(square)))
    let interval = try #require(fit.diagnostics.yawInterval)
    // The variance is the same in all directions: the axes tell nothing.
    #expect(interval.below < -0.5 && interval.above > 0.5)
    #expect((fit.diagnostics.eigenvalueGap ?? 1) < 0.1)
    let sure = try #require(
      try BoxMethod.minAreaRectangle.box(of: object(filled(square))).diagnostics.yawInterval)
    #expect(sure.above - sure.below < (interval.above - interval.below) / 2)
    #expect(try BoxMethod.pcaXZ.box(of: object(filled(long))).diagnostics.yawInterval == nil)
  }

  @Test("depths between quantiles, and steps of erosion")
  func selection() {
    // In eighths, which are exact: 1…3.375 m, the farthest first.
    let depths = (0..<20).map { 1 + 0.125 * Double(19 - $0) }
    let range = PointSelection.specified.depthRange(of: depths)
    #expect(range == 1.25...3.25)
    #expect(PointSelection.everything.depthRange(of: [2, 1]) == 1...2)
    #expect(PointSelection.specified.depthRange(of: []) == nil)
    #expect(
      [4, 29, 31, 50, 200].map { PointSelection.eroded.erosion.steps(shorterSide: $0) } == [1, 1, 2, 3, 3])
    #expect(PointSelection.specified.erosion.steps(shorterSide: 100) == 0)
  }
}
