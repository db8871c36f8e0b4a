import DepthCore
import Foundation
import Testing

@testable import DepthObjects

/// From a raw head to points: one anchor and one prototype for each detection of a simulated room, seen upside down as
/// the app's network sees it.
@Suite("A decoded room")
struct DecodedRoomTests {
  private let view = SyntheticView.room

  /// A head of two classes whose decoding should give the room's detections again.
  private var output: DetectorOutput {
    let (objects, size) = (view.objects, RasterSize(width: 160, height: 120))
    let scale = 640 / Float(view.camera.intrinsics.imageSize.width)
    var columns: [[Float]] = []
    for (index, object) in objects.enumerated() {
      let box = object.box
      let numbers = [
        (box.minX + box.maxX) / 2 * scale, (box.minY + box.maxY) / 2 * scale, box.width * scale,
        box.height * scale,
      ]
      let coefficients = objects.indices.map { Float($0 == index ? 1 : 0) }
      columns.append(
        numbers + [object.label == "couch" ? 0.1 : object.score, object.label == "couch" ? 0.9 : 0]
          + coefficients)
    }
    let prototypes = objects.flatMap { object in
      (object.mask?.values ?? []).map { $0 > 0 ? log($0 / (1 - $0)) : -20 }
    }
    let head = DetectorHead(
      classCount: 2, coefficientCount: objects.count, anchorCount: objects.count, prototypeSize: size,
      inputSize: RasterSize(width: 640, height: 480))
    return DetectorOutput(
      head: head, predictions: (0..<head.rowCount).flatMap { row in columns.map { $0[row] } },
      prototypes: prototypes)
  }

  @Test("boxes, masks and median depths are those of the detections")
  func decoded() throws {
    var options = DecodingOptions()
    (options.confidenceThreshold, options.origin) = (0.25, .bottomLeft)
    // Furniture of one class here, so nothing may be suppressed.
    options.overlapThreshold = 1
    let decoder = DetectionDecoder(
      imageSize: view.camera.intrinsics.imageSize, classNames: ["thing", "couch"], options: options)
    let (found, conventions) = decoder.detections(in: output, frame: 0)
    #expect(conventions == view.conventions)
    #expect(found.count == view.objects.count)
    #expect(found.map(\.score) == found.map(\.score).sorted(by: >))
    var compared = 0
    for object in view.objects {
      let same = try #require(
        found.max { $0.box.overlap(with: object.box) < $1.box.overlap(with: object.box) })
      #expect(same.box.overlap(with: object.box) > 0.999)
      #expect(same.label == (object.label == "couch" ? "couch" : "thing"))
      let (mask, truth) = (try #require(same.mask), try #require(object.mask))
      // The crop takes pixels by their index, the simulation by their centre: edges may differ, the inside may not.
      #expect(zip(mask.values, truth.values).allSatisfy { $0 < 0.01 || $1 == 0 || abs($0 - $1) < 1e-3 })
      guard let depths = try? depths(object), depths.samples.count > 30 else { continue }
      #expect(abs(try self.depths(same).median - depths.median) < 0.03)
      compared += 1
    }
    #expect(compared >= 3)
  }

  private func depths(_ object: DetectedObject) throws -> ObjectDepths {
    try ObjectDepths(
      of: object, in: view.frame.lidar, confidence: view.frame.confidence,
      imageSize: view.camera.intrinsics.imageSize, conventions: view.conventions)
  }
}
