import DepthCore
import FathomDrawingScales
import Foundation
import FathomTestSupport
import Testing

@testable import DepthGraphics

@Suite("Evidence pictures")
struct EvidencePictureTests {
  @Test("of carried points over the camera image: same bytes twice")
  func overImage() throws {
    let picture = try DemoPictures.poses { $0.image.map { .image($0) } ?? .depth($0.lidar) }
    let png = try picture.png()
    try DemoPictures.keep(png, "poses-image.png")
    #expect(try picture.png() == png)
  }

  @Test("over LiDAR depth where there is no image")
  func overDepth() throws {
    let png = try DemoPictures.poses { .depth($0.lidar) }.png()
    try DemoPictures.keep(png, "poses-depth.png")
    #expect(try DemoPictures.poses { .depth($0.lidar) }.png() == png)
  }

  @Test("of a mirrored relative map")
  func relative() throws {
    let png = try DemoPictures.relative().png()
    try DemoPictures.keep(png, "relative.png")
    #expect(try DemoPictures.relative().png() == png)
  }

  @Test("dots lie where their image points do, in the scale's colours; what lies outside is not drawn")
  func dots() throws {
    let scale = ColourScale(range: 0...1, label: "x")
    let image = Raster<RGB>(width: 2, height: 1, filledWith: RGB(red: 90, green: 90, blue: 90))
    func panel(_ points: [EvidencePicture.ProjectedPoint]) -> EvidencePicture.Panel {
      .init(title: "t", background: .image(image), points: points, caption: "c")
    }
    var picture = EvidencePicture(
      panels: [
        panel([
          .init(u: 50, v: 25, value: 1), .init(u: 150, v: 75, value: 0), .init(u: 20, v: 80, value: .nan),
        ]),
        panel([.init(u: -9, v: 50, value: 1), .init(u: .nan, v: 50, value: 1)]),
      ], imageSize: RasterSize(width: 200, height: 100), scale: scale)
    picture.panelWidth = 100
    picture.pointRadius = 3
    let layout = EvidenceLayout(picture, measuringOn: try Canvas(width: 1, height: 1))
    let canvas = try picture.drawn(layout)
    let (left, right) = (layout.panels[0].image, layout.panels[1].image)
    #expect(left.width == 100 && left.height == 50 && left.y == right.y)
    func colour(_ frame: Rectangle, _ u: Double, _ v: Double) -> Colour? {
      canvas.pixel(row: Int(frame.y + v / 2), column: Int(frame.x + u / 2))
    }
    #expect(colour(left, 50, 25) == Colour(ColourMap.viridis.table[255]))
    #expect(colour(left, 150, 75) == Colour(ColourMap.viridis.table[0]))
    #expect(colour(left, 20, 80) == .white)
    let grey = Colour(BackgroundPainter.softened(image)[0, 0])
    for u in stride(from: 4.0, to: 200, by: 8) { #expect(colour(right, u, 50) == grey) }
    #expect(colour(left, 100, 50) == grey)
  }

  @Test("near is light, far is dark, missing is white; a band holds as many pixels as any other")
  func backgrounds() throws {
    let depth = DepthMap(width: 4, height: 1, values: [1, 2, 4, 0])
    let levels = BackgroundPainter.grey(depth).values.map(\.red)
    #expect(levels == [230, 165, 100, 255])
    let map = DepthMap(width: 80, height: 1, values: (0..<80).map { Float($0 * $0) })
    let bands = BackgroundPainter(background: .relative(map, contours: nil), scale: .ranks()).bands(of: map)
    let counts = Dictionary(grouping: bands.values) { $0 }.mapValues(\.count)
    #expect(counts.count == 8 && counts.values.allSatisfy { (9...11).contains($0) })
    #expect(
      bands.values.first == ColourMap.viridis.table[16] && bands.values.last == ColourMap.viridis.table[240])
  }

  @Test("long titles and captions make room for themselves")
  func layout() throws {
    let image = Raster<RGB>(width: 1, height: 1, filledWith: RGB(red: 0, green: 0, blue: 0))
    func picture(_ caption: String) throws -> EvidenceLayout {
      let panel = EvidencePicture.Panel(title: caption, background: .image(image), caption: caption)
      let picture = EvidencePicture(
        panels: [panel], imageSize: RasterSize(width: 4, height: 3), scale: .ranks())
      return EvidenceLayout(picture, measuringOn: try Canvas(width: 1, height: 1))
    }
    let (short, long) = (try picture("a"), try picture(String(repeating: "many words ", count: 40)))
    #expect(long.width == short.width && long.height > short.height + 100)
    #expect(long.panels[0].image.y > short.panels[0].image.y)
    #expect(short.panels[0].image == Rectangle(x: 16, y: short.panels[0].image.y, width: 480, height: 360))
  }
}
