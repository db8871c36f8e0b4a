import DepthCore
import Testing

@testable import DepthObjects

@Suite("Letterbox and portrait")
struct ImageMappingTests {
  @Test("an image that is wider than the input is padded above and below")
  func letterbox() {
    let box = Letterbox(
      image: RasterSize(width: 1920, height: 1440), input: RasterSize(width: 640, height: 640))
    #expect(abs(box.scaleX - 1.0 / 3) < 1e-12 && box.scaleX == box.scaleY)
    #expect(box.paddingX == 0 && abs(box.paddingY - 80) < 1e-9)
    let point = box.input(x: 960, y: 0)
    #expect(abs(point.x - 320) < 1e-9 && abs(point.y - 80) < 1e-9)
    let back = box.image(x: point.x, y: point.y)
    #expect(abs(back.x - 960) < 1e-9 && abs(back.y) < 1e-9)
    // Clipped to the image.
    let whole = box.image(PixelRectangle(minX: -5, minY: 0, maxX: 700, maxY: 640))
    #expect(whole == PixelRectangle(minX: 0, minY: 0, maxX: 1920, maxY: 1440))
  }

  @Test("half the rest, and in whole pixels as ultralytics has it")
  func rounding() {
    let (image, input) = (RasterSize(width: 151, height: 101), RasterSize(width: 128, height: 96))
    let exact = Letterbox(image: image, input: input)
    #expect(exact.scaleX == 128.0 / 151 && abs(exact.paddingY - (96 - 101 * 128.0 / 151) / 2) < 1e-12)
    let whole = Letterbox(image: image, input: input, rounding: .wholePixels)
    #expect(whole.scaleX == 128.0 / 151 && whole.scaleY == 86.0 / 101)
    #expect(whole.paddingX == 0 && whole.paddingY == 5)
  }

  @Test("a quarter turn clockwise, from either origin, there and back")
  func portrait() {
    let turn = PortraitRotation(landscape: RasterSize(width: 1920, height: 1440))
    #expect(turn.portrait == RasterSize(width: 1440, height: 1920))
    // (minY, minX, height, width) from the bottom, (H − maxY, minX, height, width) from the top.
    let box = PixelRectangle(minX: 100, minY: 200, maxX: 400, maxY: 250)
    #expect(
      turn.portrait(box, origin: .bottomLeft) == PixelRectangle(minX: 200, minY: 100, maxX: 250, maxY: 400))
    #expect(
      turn.portrait(box, origin: .topLeft) == PixelRectangle(minX: 1190, minY: 100, maxX: 1240, maxY: 400))
    for origin in ImageOrigin.allCases {
      #expect(turn.landscape(turn.portrait(box, origin: origin), origin: origin) == box)
      let point = turn.portrait(x: 7, y: 30, origin: origin)
      let back = turn.landscape(x: point.x, y: point.y, origin: origin)
      #expect(back.x == 7 && back.y == 30)
    }
  }

  @Test("pixels go where their centres go")
  func raster() {
    let (turn, raster) = (
      PortraitRotation(landscape: RasterSize(width: 3, height: 2)),
      Raster(width: 3, height: 2, values: [1, 2, 3, 4, 5, 6])
    )
    // The top row of the landscape image is the right column of the portrait one.
    #expect(turn.portrait(raster, origin: .topLeft).values == [4, 1, 5, 2, 6, 3])
    #expect(turn.portrait(raster.upsideDown, origin: .bottomLeft).values == [4, 1, 5, 2, 6, 3])
    for row in 0..<2 {
      for column in 0..<3 {
        let point = turn.portrait(x: Double(column) + 0.5, y: Double(row) + 0.5, origin: .topLeft)
        #expect(turn.portrait(raster, origin: .topLeft)[Int(point.y), Int(point.x)] == raster[row, column])
      }
    }
  }
}
