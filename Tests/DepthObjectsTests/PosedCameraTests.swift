import DepthCore
import Testing

@testable import DepthObjects

@Suite("Image points in space")
struct PosedCameraTests {
  private let intrinsics = CameraIntrinsics(
    fx: 500, fy: 510, cx: 322, cy: 237, imageSize: RasterSize(width: 640, height: 480))
  private let pose = RigidTransform(
    xAxis: [0.6, 0, -0.8], yAxis: [0, 1, 0], zAxis: [0.8, 0, 0.6], translation: [1, 2, 3])

  @Test("there and back", arguments: [CameraConvention.arkit, .opencv])
  func roundTrip(_ convention: CameraConvention) throws {
    let camera = PosedCamera(intrinsics, pose, convention)
    for (u, v, depth) in [(0.0, 0.0, 0.5), (640, 480, 3), (100.25, 400.75, 1.5)] {
      let seen = try #require(camera.project(camera.point(u: u, v: v, depth: depth)))
      #expect(abs(seen.u - u) < 1e-9 && abs(seen.v - v) < 1e-9 && abs(seen.depth - depth) < 1e-12)
    }
    let behind = camera.position - camera.direction(u: 322, v: 237)
    #expect(camera.project(behind) == nil)
  }

  @Test("axes: the app's x right, y up, −z forward, and OpenCV's")
  func axes() {
    let still = RigidTransform.identity
    let up = PosedCamera(intrinsics, still, .arkit).point(u: 322 + 50, v: 237 - 51, depth: 2)
    #expect(up == [0.2, 0.2, -2])
    let down = PosedCamera(intrinsics, still, .opencv).point(u: 322 + 50, v: 237 - 51, depth: 2)
    #expect(down == [0.2, -0.2, 2])
  }

  @Test(
    "planar depth is that of the projection, and negative behind",
    arguments: [CameraConvention.arkit, .opencv])
  func depth(_ convention: CameraConvention) {
    let camera = PosedCamera(intrinsics, pose, convention)
    #expect(abs(camera.depth(of: camera.point(u: 100, v: 400, depth: 1.5)) - 1.5) < 1e-12)
    #expect(abs(camera.depth(of: camera.position - camera.direction(u: 322, v: 237)) + 1) < 1e-12)
  }

  @Test("a pose of lost tracking is none: not finite, zeros, another scale")
  func unusable() {
    var header = SceneHeader(name: "room", frameCount: 1)
    header.cameraConvention = .arkit
    func camera(_ pose: RigidTransform) -> PosedCamera? {
      let lidar = DepthMap(width: 1, height: 1, values: [1])
      return PosedCamera(
        of: DepthFrame(index: 0, lidar: lidar, intrinsics: intrinsics, worldFromCamera: pose), in: header)
    }
    #expect(camera(pose) == PosedCamera(intrinsics, pose, .arkit))
    var rounded = pose
    rounded.xAxis *= 1.000_01
    #expect(camera(rounded) != nil)
    let zero = SIMD3<Double>.zero
    #expect(camera(RigidTransform(xAxis: zero, yAxis: zero, zAxis: zero, translation: zero)) == nil)
    var lost = pose
    lost.translation.y = .nan
    #expect(camera(lost) == nil)
    lost = pose
    lost.zAxis.x = .infinity
    #expect(camera(lost) == nil)
    lost = pose
    lost.yAxis *= 1000
    #expect(camera(lost) == nil)
  }
}
