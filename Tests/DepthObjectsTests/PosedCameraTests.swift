import DepthFusion
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
}
