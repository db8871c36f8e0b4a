import DepthCore
import FathomDrawingScales
import Foundation
import FathomTestSupport
import Testing

@testable import DepthGraphics

/// Every colour of one channel at every opacity.
private let everyColour: Raster<RGBA> = {
  var picture = Raster<RGBA>.clear(RasterSize(width: 256, height: 256))
  for row in 0..<256 {
    for column in 0..<256 {
      let red = UInt8(column)
      picture[row, column] = RGBA(red: red, green: 255 - red, blue: 7, alpha: UInt8(row))
    }
  }
  return picture
}()

/// What the file of a picture holds.
private func written(_ picture: FramePicture) throws -> Raster<RGBA> {
  let file = try PNGFile(picture.png())
  let values = (0..<file.size.count).map { index in
    let pixel = file.pixel(index)
    return RGBA(red: pixel[0], green: pixel[1], blue: pixel[2], alpha: pixel[3])
  }
  return Raster(width: file.size.width, height: file.size.height, values: values)
}

@Suite("PNG files hold the layers' pixels")
struct PNGTests {
  @Test("every colour at every opacity, alone and beside another panel")
  func exact() throws {
    #expect(try written(FramePicture([.init(everyColour)], isAnnotated: false)) == everyColour)
    let pair = try written(FramePicture([.init(everyColour), .init(everyColour)], isAnnotated: false))
    #expect(pair.size == RasterSize(width: 512, height: 256))
    var wrong = 0
    for row in 0..<256 {
      for column in 0..<512 where pair[row, column] != everyColour[row, column % 256] { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test("what no mark covers is the layers' own")
  func marks() throws {
    let mark = WireframeMark(visible: [([40, 40], [80, 90])], hidden: [], colour: .white)
    let pixels = try written(FramePicture([.init(everyColour, marks: [mark])], isAnnotated: false))
    var changed = 0
    for row in 0..<256 {
      for column in 0..<256 where pixels[row, column] != everyColour[row, column] {
        changed += 1
        #expect((34..<86).contains(column) && (34..<96).contains(row))
      }
    }
    #expect(changed > 50)
  }

  @Test("with legend and caption every pixel is the layers' on white, rounded once")
  func annotated() throws {
    let scale = ColourScale(range: 0...1, label: "depth", unit: "m")
    let panel = FramePicture.Panel(everyColour, legends: [.bar(scale)], caption: "room-01, frame 0")
    let picture = FramePicture([panel, panel])
    let pixels = try written(picture)
    #expect(pixels.isOpaque)
    let layout = PictureLayout(picture, measuringOn: try Canvas(width: 1, height: 1))
    var worst = 0.0
    for panel in layout.panels {
      let (top, left) = (Int(panel.image.y), Int(panel.image.x))
      for row in 0..<256 {
        for column in 0..<256 {
          let (own, found) = (everyColour[row, column], pixels[top + row, left + column])
          let share = Double(own.alpha) / 255
          let channels = [(own.red, found.red), (own.green, found.green), (own.blue, found.blue)]
          for (channel, result) in channels {
            let expected: Double = share * Double(channel) + (1 - share) * 255
            worst = max(worst, abs(Double(result) - expected))
          }
        }
      }
    }
    #expect(worst < 0.5 + 1e-9)
  }

  @Test("an SVG document embeds them, too")
  func embedded() throws {
    let text = String(
      decoding: try FramePicture([.init(everyColour)], isAnnotated: false).svg(), as: UTF8.self)
    let match = try #require(text.firstMatch(of: #/data:image\/png;base64,([A-Za-z0-9+\/=\s]+)/#))
    let data = try #require(Data(base64Encoded: String(match.1), options: .ignoreUnknownCharacters))
    let bytes = everyColour.values.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] }
    #expect(try PNGFile([UInt8](data)).bytes == bytes)
  }

  @Test("fog and tint alone: the colour is theirs, the opacity the formula's")
  func layersAlone() throws {
    let size = RasterSize(width: 64, height: 1)
    var depth = DepthMap(width: 64, height: 1, filledWith: .nan)
    for column in 0..<64 where column % 9 != 0 { depth[0, column] = 0.05 + 0.08 * Float(column) }
    let fog = Raster<RGBA>([Fog(depth, sigma: 0)], size: size)
    for (index, pixel) in try written(FramePicture([.init(fog)], isAnnotated: false)).values.enumerated() {
      let metres = Double(depth.values[index])
      let opacity = metres.isNaN ? 0 : 255 * min(metres / 4, 1)
      #expect(abs(Double(pixel.alpha) - opacity) <= 0.5001)
      let grey = RGBA(RGB(red: 128, green: 128, blue: 128), alpha: pixel.alpha)
      #expect(pixel == (pixel.alpha == 0 ? RGBA.clear : grey))
    }
    let levels = Raster<UInt8>(width: 3, height: 1, values: [0, 1, 2])
    let tint = Raster<RGBA>([ConfidenceTint(levels)], size: levels.size)
    #expect(
      try written(FramePicture([.init(tint)], isAnnotated: false)).values == [
        RGBA(red: 255, green: 0, blue: 0), RGBA(red: 255, green: 0, blue: 0, alpha: 128), .clear,
      ])
  }

  @Test("a picture without pixels is refused in one line")
  func empty() {
    let error = #expect(throws: GraphicsError.self) {
      _ = try PNG.encode(Raster<RGBA>(width: 0, height: 4, values: []))
    }
    #expect(error?.description == "cannot write a picture of 0×4 as PNG: it has no pixels")
  }

  @Test("a bar is pointed at the ends that values pass, outside of the bar")
  func pointedEnds() throws {
    #expect(ScaleEnds(passedBy: [0.5, .nan, 1], of: 0.5...1) == [])
    #expect(ScaleEnds(passedBy: [0.4, 1], of: 0.5...1) == .lower)
    #expect(ScaleEnds(passedBy: [0.4, 1.1], of: 0.5...1) == [.lower, .upper])
    // The nearest Float32 of 0.1 is more than 0.1, but no value beyond it.
    #expect(ScaleEnds(passedBy: [0.1], of: 0...0.1) == [])
    for ends in [ScaleEnds.lower, .upper, [.lower, .upper]] {
      let canvas = try Canvas(width: 120, height: 140)
      var bar = ColourBar(ColourScale(.viridis, range: 0...1, label: "x"))
      bar.passedEnds = ends
      bar.draw(on: canvas, at: [20, 20], height: 100)
      let middle = Int(20 + bar.thickness / 2)
      let (above, below) = (canvas.pixel(row: 16, column: middle), canvas.pixel(row: 123, column: middle))
      #expect((above != .white) == ends.contains(.upper) && (below != .white) == ends.contains(.lower))
      #expect(canvas.pixel(row: 16, column: 20) == .white)
    }
  }
}
