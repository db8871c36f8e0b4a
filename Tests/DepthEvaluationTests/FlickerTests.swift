import DepthCore
import DepthFusion
import Testing

@testable import DepthEvaluation

/// A camera before a wall at 2 m.
private let size = RasterSize(width: 64, height: 48)
private let camera = CameraIntrinsics(fx: 60, fy: 60, cx: 32, cy: 24, imageSize: size)

private func pose(_ x: Double, _ z: Double) -> RigidTransform {
  var pose = RigidTransform.identity
  pose.translation = [x, 0, z]
  return pose
}

private func view(at pose: RigidTransform = .identity, depth: (Int) -> Double) -> PosedDepth {
  PosedDepth(
    depth: DepthMap(
      width: size.width, height: size.height, values: (0..<size.count).map { Float(depth($0)) }),
    intrinsics: camera, worldFromCamera: pose, convention: .opencv)
}

@Suite("Flicker")
struct FlickerTests {
  @Test("independent noise of 1 cm is a flicker of 1 cm", arguments: [UInt64(1), 2, 3])
  func noise(_ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    func normal() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
    }
    let views = (0..<3).map { _ in view { _ in 2 + 0.01 * normal() } }
    let value = try #require(Flicker.deviation(views[0], views[1], views[2]))
    // The median of 3072 draws is good to 2.1 %, and a noisy depth moves its point by less than a hundredth of a pixel.
    #expect(abs(value - 0.01) < 0.0008)
  }

  @Test("the points that are looked at in a large map lie where they lie in it")
  func large() throws {
    // A slanted wall, seen from two places and, in between, 5 cm too near.
    let size = RasterSize(width: 611, height: 433)
    let camera = CameraIntrinsics(fx: 570, fy: 560, cx: 300, cy: 210, imageSize: size)
    let views = (0..<3).map { i in
      let x = 0.07 * Double(i)
      // z = 2 + (X + x) / 4 along the ray X = z (u − cx) / fx.
      let values = (0..<size.count).map { index -> Float in
        let ray = (Double(index % size.width) + 0.5 - camera.cx) / camera.fx
        return Float((2 + x / 4) / (1 - ray / 4) * (i == 1 ? 0.975 : 1))
      }
      return PosedDepth(
        depth: DepthMap(width: size.width, height: size.height, values: values), intrinsics: camera,
        worldFromCamera: pose(x, 0), convention: .opencv)
    }
    let found = try #require(Flicker.deviation(views[0], views[1], views[2]))
    // Each of the others reads the wall where the ray of the nearer point goes on: behind it by 2.5 % of its depth, but for the
    // parallax of 7 cm, which is opposite in the two.
    let depths = (0..<size.count).map { Double(views[1].depth.values[$0]) }.sorted()
    let expected = depths[depths.count / 2] * (1 / 0.975 - 1) * 2 * 1.4826 / 6.0.squareRoot()
    #expect(abs(found / expected - 1) < 0.01)
  }

  @Test("neither the camera's motion nor steady drift nor a constant error is flicker")
  func calm() throws {
    // Approached by 10 cm a frame, moving sideways.
    let moved = (0..<3).map { i in
      view(at: pose(0.02 * Double(i), 0.1 * Double(i))) { _ in 2 - 0.1 * Double(i) }
    }
    #expect(try #require(Flicker.deviation(moved[0], moved[1], moved[2])) < 1e-6)
    let drifting = (0..<3).map { i in view { _ in 2.5 + 0.05 * Double(i) } }
    #expect(try #require(Flicker.deviation(drifting[0], drifting[1], drifting[2])) < 1e-6)
    #expect(try #require(TemporalConsistency.absRel(drifting[0], drifting[1])) > 0.019)
    let jumping = [view { _ in 2 }, view { _ in 2.03 }, view { _ in 2 }]
    let jump = try #require(Flicker.deviation(jumping[0], jumping[1], jumping[2]))
    #expect(abs(jump - 0.06 * 1.4826 / 6.0.squareRoot()) < 1e-6)
  }

  @Test("what a neighbour does not see or has no depth for is excluded; nothing left is not a value")
  func missing() throws {
    let flat = view { _ in 2 }
    let half = view { $0 % 64 < 32 ? 2 : .nan }
    #expect(try #require(Flicker.deviation(half, flat, flat)) == 0)
    #expect(Flicker.deviation(view { _ in 0 }, flat, flat) == nil)
    #expect(Flicker.deviation(view(at: pose(50, 0)) { _ in 2 }, flat, flat) == nil)
    var unknown = flat
    unknown.convention = .unknown
    #expect(Flicker.deviation(unknown, flat, flat) == nil)
  }

  @Test("a rotation that was rounded does not make a still camera move")
  func roundedRotation() throws {
    var rounded = RigidTransform.identity
    rounded.xAxis = [1.001, 0.0005, 0]
    let views = (0..<3).map { _ in view(at: rounded) { 1.5 + Double($0 % 64) * 0.01 } }
    #expect(try #require(Flicker.deviation(views[0], views[1], views[2])) < 1e-6)
    #expect(try #require(TemporalConsistency.absRel(views[0], views[1])) < 1e-6)
  }

  @Test("a run fills both columns in without truth, and the statuses say so, for any number of jobs")
  func withoutTruth() async throws {
    var header = SceneHeader(name: "s", frameCount: 6)
    (header.hasPoses, header.cameraConvention, header.intrinsics) = (true, .opencv, camera)
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse("lidar-bilinear,ols@depth"))
    var results: [[[Double?]]] = []
    for jobs in [1, 4] {
      var scene = SceneContext(header: header, name: "s")
      let rows = await plan.evaluate(&scene, frames: 1..<6, jobs: jobs) {
        (index) throws(Never) in
        // 2 m and 2.03 m in turn.
        let map = DepthMap(
          width: size.width, height: size.height, filledWith: index.isMultiple(of: 2) ? 2 : 2.03)
        return DepthFrame(index: index, lidar: map, intrinsics: camera, worldFromCamera: .identity)
      }
      let raw = rows.filter { $0.method == "lidar-bilinear" }
      #expect(raw.allSatisfy { $0.fusion.status == .noTruth && $0.value(.absRel) == nil })
      #expect(rows.filter { $0.method == "ols@depth" }.allSatisfy { $0.values.isEmpty })
      results.append([raw.map { $0.value(.temporalAbsRel) }, raw.map { $0.value(.flicker) }])
    }
    #expect(results[0] == results[1])
    #expect(results[0][0].map { $0 == nil } == [true, false, false, false, false])
    #expect(results[0][1].map { $0 == nil } == [true, false, false, false, true])
    for value in results[0][1].compactMap({ $0 }) {
      #expect(abs(value - 0.06 * 1.4826 / 6.0.squareRoot()) < 1e-6)
    }
  }

  @Test("a frame is compared with the one and the two before it, once")
  func neighbours() {
    var header = SceneHeader(name: "s", frameCount: 200)
    (header.hasPoses, header.cameraConvention, header.intrinsics) = (true, .opencv, camera)
    let context = SceneContext(header: header, name: "s")
    var state = SceneProgress()
    var (pairs, triples) = ([[Int]](), [[Int]]())
    for index in 0..<200 {
      let map = DepthMap(width: 1, height: 1, filledWith: 1)
      let records = PosedRecords(DepthFrame(index: index, lidar: map), context, [])
      for ready in state.take(records, comparesFrames: true) {
        switch ready {
        case .pair(let first, let second): pairs.append([first.index, second.index])
        case .triple(let first, let second, let third):
          triples.append([first.index, second.index, third.index])
        }
      }
    }
    #expect(pairs == (1..<200).map { [$0 - 1, $0] })
    #expect(triples == (2..<200).map { [$0 - 2, $0 - 1, $0] })
  }
}
