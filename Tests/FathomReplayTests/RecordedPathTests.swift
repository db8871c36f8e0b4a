import DepthCore
import DepthObjects
import Foundation
@testable import FathomReplay
import Testing

@Suite struct RecordedPathTests {
  private static let intrinsics = CameraIntrinsics(
    fx: 1350, fy: 1350, cx: 960, cy: 720, imageSize: RasterSize(width: 1920, height: 1440))

  /// Turned about an axis by degrees, at a place.
  static func camera(_ degrees: Double, at x: Double) -> PosedCamera {
    let angle = degrees * .pi / 180
    let pose = RigidTransform(
      xAxis: [cos(angle), 0, -sin(angle)], yAxis: [0, 1, 0], zAxis: [sin(angle), 0, cos(angle)],
      translation: [x, 1.5, 0])
    return PosedCamera(intrinsics, pose, .arkit)
  }

  @Test("between two frames the camera moves straight and turns steadily")
  func interpolation() throws {
    let path = try RecordedPath(
      seconds: [10, 10.1, 10.3],
      cameras: [Self.camera(0, at: 0), Self.camera(30, at: 1), Self.camera(-50, at: 1)])
    #expect(path.duration == 300_000_000)
    #expect(path.longestGap == 200_000_000)
    let first = try #require(path.camera(at: 0)), half = try #require(path.camera(at: 25_000_000))
    let moved = CameraStaleness(from: first, to: half)
    #expect(abs(moved.millimetres - 250) < 1e-6)
    #expect(abs(moved.degrees - 7.5) < 1e-9)
    let later = try #require(path.camera(at: 250_000_000))
    #expect(abs(CameraStaleness(from: first, to: later).degrees - 30) < 1e-9)
    #expect(path.camera(at: 100_000_000) == Self.camera(30, at: 1))
    #expect(path.camera(at: 300_000_001) == nil)
    #expect(path.camera(at: -1) == nil)
  }

  @Test("small turns are not lost to rounding")
  func smallTurn() throws {
    let moved = CameraStaleness(from: Self.camera(10, at: 0), to: Self.camera(10.000_01, at: 0))
    #expect(abs(moved.degrees - 0.000_01) < 1e-9)
    let half = CameraStaleness(from: Self.camera(0, at: 0), to: Self.camera(180, at: 0))
    #expect(abs(half.degrees - 180) < 1e-9)
  }

  @Test("a pose that is not known leaves a hole, no more")
  func hole() throws {
    let path = try RecordedPath(
      seconds: [0, 1, 2, 3],
      cameras: [Self.camera(0, at: 0), nil, Self.camera(0, at: 2), Self.camera(0, at: 3)])
    #expect(path.hasPoses)
    #expect(path.camera(at: 500_000_000) == nil)
    #expect(path.camera(at: 1_000_000_000) == nil)
    #expect(path.camera(at: 2_500_000_000) != nil)
  }

  @Test("the nearest frame, the earlier of two")
  func nearest() throws {
    let path = try RecordedPath(seconds: [0, 1, 2], cameras: [nil, nil, nil])
    #expect(!path.hasPoses)
    let times = [0, 499_999_999, 500_000_000, 500_000_001, 1_700_000_000, 2_000_000_000, 9_000_000_000]
    #expect(times.map(path.nearestFrame) == [0, 0, 0, 1, 2, 2, 2])
  }

  struct Refusal: Sendable {
    let seconds: [Double]?
    let fault: PathFault

    init(_ seconds: [Double]?, _ fault: PathFault) { (self.seconds, self.fault) = (seconds, fault) }
  }

  @Test(
    "what has no time axis is refused",
    arguments: [
      Refusal([0], .oneFrame), Refusal(nil, .noTimes), Refusal([0, 1, 1], .timeGoesBack(frame: 2)),
      Refusal([0, 2, 1], .timeGoesBack(frame: 2)), Refusal([0, .nan, 1], .timeGoesBack(frame: 1)),
      Refusal([0, 1e6], .tooLong(1e6)),
    ])
  func refused(refusal: Refusal) {
    let count = refusal.seconds?.count ?? 3
    #expect(throws: refusal.fault) {
      try RecordedPath(seconds: refusal.seconds, cameras: Array(repeating: nil, count: count))
    }
  }

  @Test("what moves by the display's pose is what theory says")
  func shift() throws {
    // No plane: the ray ends at 2 m of depth, so that a turn by a shifts by the chord 2·d·sin(a/2) of the ray's length.
    let (camera, turned) = (Self.camera(0, at: 0), Self.camera(3, at: 0))
    let target = ReplayTarget(
      label: nil, index: nil, at: (960, 720), depth: 2, camera: camera, planes: [])
    let path = try RecordedPath(seconds: [0, 0.05, 0.1], cameras: [camera, turned, turned])
    let trace = LivePipeline(pool: 2).run([0]) { _, _ in 50_000_000 }
    let scene = ReplayedScene("room", trace, path: path) { _ in [target] }
    let placement = try #require(scene.placements.first)
    #expect(abs(placement.shift - 100 * 4 * sin(1.5 * .pi / 180)) < 1e-9)
    #expect(placement.worsening == placement.shift)
    #expect(placement.errors.isEmpty)
    #expect(abs(placement.turnRate - 60) < 1e-6)
  }
}
