import DepthCore
import DepthDataset
import Testing

@testable import DepthSynthesis

@Suite("Simulated detections")
struct DetectorTests {
  /// The detections of a frame with what is really visible, at 480×360.
  private struct View {
    let stage = SceneStage(named: "room-02", options: SynthesisPreset.demo.options)
    let caster: RayCaster
    let visible: Raster<Int>
    let detections: [DetectedObject]

    init(frame: Int) {
      let stage = self.stage
      let detector = DetectorModel(stage.room, imageSize: stage.camera.imageSize)
      let caster = stage.caster(frame, DetectorModel.viewSize)
      visible = caster.render { hit, _, _ in
        hit.solid == RayCaster.shell ? -1 : stage.room.furnitureOfSolid[hit.solid]
      }
      var generator = stage.stream(frame, "detector")
      detections = detector.detections(caster, frame: frame, using: &generator)
      self.caster = caster
    }

    /// Pixels of the view, from the top, that show the furniture with this true box.
    func pixels(of object: DetectedObject) -> [(row: Int, column: Int)] {
      let index = stage.room.furniture.firstIndex { $0.box == object.truth }
      return visible.values.indices.filter { visible.values[$0] == index }
        .map { ($0 / visible.width, $0 % visible.width) }
    }
  }

  @Test("boxes and masks count rows from the bottom, masks are 160×120 with stride 4")
  func conventions() {
    #expect(
      DetectorModel.conventions
        == DetectionConventions(boxOrigin: .bottomLeft, maskOrigin: .bottomLeft, maskStride: 4))
    let options = reduced(.sample, scenes: 1, frames: 2)
    let objects = SyntheticScene(options: options, index: 0).objects()
    #expect(objects.conventions == DetectorModel.conventions)
    #expect(objects.objects.contains { $0.frame == 1 })
    for object in objects.objects {
      #expect(object.mask?.size == RasterSize(width: 160, height: 120))
      #expect(object.mask?.values.allSatisfy { (0...1).contains($0) } == true)
      #expect((0...1).contains(object.score))
    }
  }

  @Test(
    "a box bounds the visible pixels of its object, which the true box's projection bounds",
    arguments: [0, 5])
  func boxes(frame: Int) throws {
    let view = View(frame: frame)
    #expect(view.detections.count >= 3)
    for object in view.detections {
      let pixels = view.pixels(of: object)
      let (top, bottom) = (1440 - Double(object.box.maxY), 1440 - Double(object.box.minY))
      let (left, right) = (Double(object.box.minX), Double(object.box.maxX))
      // The box is off by 0.5 % of its side, at most 4.9 standard deviations; a pixel of the view is 4 wide.
      let (dx, dy) = (0.025 * (right - left) + 0.01, 0.025 * (bottom - top) + 0.01)
      #expect(abs(Double(pixels.map(\.column).min() ?? 0) * 4 - left) <= dx)
      #expect(abs(Double(pixels.map(\.column).max() ?? 0) * 4 + 4 - right) <= dx)
      #expect(abs(Double(pixels.map(\.row).min() ?? 0) * 4 - top) <= dy)
      #expect(abs(Double(pixels.map(\.row).max() ?? 0) * 4 + 4 - bottom) <= dy)
      let corners = try #require(object.truth).corners.compactMap(view.caster.rays.projected)
      guard corners.count == 8 else { continue }  // partly behind the camera
      #expect((corners.map(\.u).min() ?? 0) * 4 <= left + dx + 4)
      #expect((corners.map(\.u).max() ?? 0) * 4 >= right - dx - 4)
      #expect((corners.map(\.v).min() ?? 0) * 4 <= top + dy + 4)
      #expect((corners.map(\.v).max() ?? 0) * 4 >= bottom - dy - 4)
    }
  }

  @Test("a mask covers its object's pixels and little else, once its rows are turned")
  func masks() throws {
    let view = View(frame: 2)
    for object in view.detections {
      let mask = try #require(object.mask)
      let pixels = view.pixels(of: object)
      guard pixels.count > 900 else { continue }  // a hundred mask pixels: the border does not dominate
      let inside = pixels.count { mask[119 - $0.row / 3, $0.column / 3] > 0.5 }
      #expect(Double(inside) > 0.8 * Double(pixels.count), "\(object.label)")
      let area = mask.values.count { $0 > 0.5 } * 9
      #expect(Double(area) < 1.2 * Double(pixels.count), "\(object.label)")
    }
  }

  @Test("points of an object lie in its true box, whose first side is the longer one")
  func trueBoxes() throws {
    let view = View(frame: 1)
    for object in view.detections {
      let box = try #require(object.truth)
      #expect(box.size.x >= box.size.z)
      for pixel in view.pixels(of: object) {
        let (u, v) = (Double(pixel.column) + 0.5, Double(pixel.row) + 0.5)
        let point = view.caster.rays.point(u: u, v: v, depth: view.caster.hit(u: u, v: v).depth)
        let local = box.rotated(point - box.center)
        let excess = SIMD3(abs(local.x), abs(local.y), abs(local.z)) - box.size / 2
        #expect(excess.max() < 1e-9)
      }
    }
  }
}
