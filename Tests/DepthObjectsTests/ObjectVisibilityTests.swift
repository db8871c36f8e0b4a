import DepthCore
import FathomTestSupport
import Testing

@testable import DepthObjects

@Suite("How much of an object is seen")
struct ObjectVisibilityTests {
  private func visibility(_ scene: BoxScene, _ object: DetectedObject) throws -> ObjectVisibility {
    try #require(
      ObjectVisibility(
        of: scene.truth, detectedAs: object, camera: scene.camera, conventions: scene.conventions,
        maskThreshold: 0.5, rounding: .none))
  }

  @Test(
    "a box that nothing hides covers its outline; half of its mask covers half; without mask nothing is known"
  )
  func share() throws {
    let scene = BoxScene()
    let whole = try visibility(scene, scene.object)
    #expect(abs(try #require(whole.share) - 1) < 0.03)
    #expect(whole.inImage == 1 && whole.faces == 3)
    var half = scene.object
    for index in half.mask?.values.indices ?? 0..<0 where index % 2 == 0 { half.mask?.values[index] = 0 }
    #expect(abs(try #require(try visibility(scene, half).share) - 0.5) < 0.03)
    half.mask = nil
    #expect(try visibility(scene, half).share == nil)
  }

  @Test("what lies beyond the image counts as unseen")
  func cut() throws {
    let scene = BoxScene()
    var camera = scene.camera
    // The image ends at the box's centre column.
    let middle = try #require(camera.project(scene.truth.center)).u
    camera.intrinsics.cx -= middle
    let cut = try #require(
      ObjectVisibility(
        of: scene.truth, detectedAs: scene.object, camera: camera, conventions: scene.conventions,
        maskThreshold: 0.5, rounding: .none))
    #expect(cut.inImage > 0.35 && cut.inImage < 0.65)
  }

  @Test("faces: one straight ahead, none from within, and no outline behind the camera")
  func faces() throws {
    let scene = BoxScene()
    func faces(_ box: OrientedBox) -> Int? {
      ObjectVisibility(
        of: box, detectedAs: scene.object, camera: scene.camera, conventions: scene.conventions,
        maskThreshold: 0.5, rounding: .none)?.faces
    }
    #expect(faces(OrientedBox(center: [0, 0, -2], size: [1, 1, 1], yaw: 0)) == 1)
    #expect(faces(OrientedBox(center: [2, 0, -2], size: [1, 1, 1], yaw: 0)) == 2)
    #expect(faces(OrientedBox(center: [0, 0, -0.2], size: [1, 1, 1], yaw: 0)) == 0)
    #expect(faces(OrientedBox(center: [0, 0, 5], size: [1, 1, 1], yaw: 0)) == nil)
  }

  @Test("a z-up world's box is turned with its camera")
  func upright() {
    let box = OrientedBox(center: [1, 2, 3], size: [4, 5, 6], yaw: 0.5)
    #expect(box.upright(from: .z) == OrientedBox(center: [1, 3, -2], size: [4, 5, 6], yaw: 0.5))
    #expect(box.upright(from: .y) == box)
  }
}
