import DepthCore
import Foundation
import Testing

@testable import DepthObjects

@Suite("Detections compared with true boxes")
struct DetectionScoreTests {
  private let camera = PosedCamera(
    CameraIntrinsics(fx: 100, fy: 100, cx: 50, cy: 40, imageSize: RasterSize(width: 100, height: 80)),
    .identity, .arkit)

  @Test("a cube straight ahead is bounded by its near face")
  func projection() throws {
    let cube = OrientedBox(center: [0.5, 0, -3], size: [1, 1, 2], yaw: 0)
    let bounds = try #require(cube.imageBounds(seenBy: camera))
    // Near face at 2 m: x from 0 to 1, y from −½ to ½.
    #expect(bounds == PixelRectangle(minX: 50, minY: 15, maxX: 100, maxY: 65))
    // The same cube turned by a quarter: length and width change places.
    let turned = OrientedBox(center: [0.5, 0, -3], size: [2, 1, 1], yaw: .pi / 2)
    let same = try #require(turned.imageBounds(seenBy: camera))
    #expect(same.overlap(with: bounds) > 0.9999)
  }

  @Test("what is behind the camera is cut, what is outside is nothing")
  func clipping() throws {
    // A floor 1 m below that reaches from 4 m ahead to behind the camera fills the lower part.
    let floor = OrientedBox(center: [0, -1.05, 0], size: [20, 0.1, 8], yaw: 0)
    let bounds = try #require(floor.imageBounds(seenBy: camera))
    #expect(bounds.minX == 0 && bounds.maxX == 100 && bounds.maxY == 80)
    #expect(abs(bounds.minY - (40 + 25)) < 1e-4)  // its far edge: 1 m below at 4 m
    #expect(OrientedBox(center: [0, 0, 3], size: [1, 1, 1], yaw: 0).imageBounds(seenBy: camera) == nil)
    #expect(OrientedBox(center: [9, 0, -3], size: [1, 1, 1], yaw: 0).imageBounds(seenBy: camera) == nil)
  }

  private func found(_ label: String, _ score: Float, _ x: Float, frame: Int = 0) -> DetectedObject {
    DetectedObject(
      frame: frame, label: label, score: score, box: PixelRectangle(minX: x, minY: 10, maxX: x + 10, maxY: 30)
    )
  }

  private func truth(_ label: String, _ x: Float, frame: Int = 0) -> DetectionTruth {
    DetectionTruth(
      frame: frame, label: label, imageBox: PixelRectangle(minX: x, minY: 50, maxX: x + 10, maxY: 70))
  }

  @Test("one match each, best scores first, within frame and class, from either origin")
  func matching() {
    let detections = [
      found("cup", 0.8, 1), found("cup", 0.9, 0), found("chair", 0.9, 40), found("cup", 0.7, 30, frame: 1),
      found("cup", 0.6, 70),
    ]
    let truths = [
      truth("cup", 0), truth("cup", 30), truth("chair", 43), truth("lamp", 80), truth("cup", 33, frame: 1),
    ]
    let score = DetectionScore(of: detections, origin: .bottomLeft, against: truths, imageHeight: 80)
    #expect(score.classes.map(\.label) == ["chair", "cup", "lamp"])
    #expect(score.classes[0].counts == DetectionCounts(matched: 1))
    #expect(score.classes[1].counts == DetectionCounts(matched: 2, spurious: 2, missed: 1))
    #expect(score.classes[2].counts == DetectionCounts(missed: 1))
    #expect(score.classes[2].counts.precision == nil && score.classes[2].counts.recall == 0)
    #expect(score.overall == DetectionCounts(matched: 3, spurious: 2, missed: 2))
    #expect(score.overall.precision == 0.6 && score.overall.recall == 0.6)
    // Counted from the other end nothing matches.
    let wrong = DetectionScore(of: detections, origin: .topLeft, against: truths, imageHeight: 80)
    #expect(wrong.overall.matched == 0)
  }

  @Test("an overlap of exactly one half counts")
  func threshold() {
    let truths = [
      DetectionTruth(frame: 0, label: "cup", imageBox: PixelRectangle(minX: 0, minY: 0, maxX: 4, maxY: 4))
    ]
    let half = DetectedObject(
      frame: 0, label: "cup", score: 1, box: PixelRectangle(minX: 0, minY: 0, maxX: 4, maxY: 2))
    let score = DetectionScore(of: [half], origin: .topLeft, against: truths, imageHeight: 80)
    #expect(score.overall.matched == 1)
  }

  @Test("simulated detections bound what is visible: most match, each true box counts once")
  func simulated() {
    let view = SyntheticView.room
    let truths = DetectionTruth.boxes(of: view.objects + view.objects) { _ in view.camera }
    #expect(truths.count == Set(view.objects.compactMap(\.truth)).count)
    let score = DetectionScore(
      of: view.objects, origin: view.conventions.boxOrigin, against: truths,
      imageHeight: view.camera.intrinsics.imageSize.height)
    #expect(score.overall.matched + score.overall.spurious == view.objects.count)
    #expect((score.overall.recall ?? 0) >= 0.5)
    let none = DetectionTruth.boxes(of: view.objects) { _ in nil }
    #expect(none.isEmpty)
  }
}
