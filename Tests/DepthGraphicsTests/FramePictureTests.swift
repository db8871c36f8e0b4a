import CFathomWebP
import DepthCore
import Testing

@testable import DepthGraphics

private let frame = Rectangle(x: 20, y: 30, width: 640, height: 480)

/// A still picture of one colour.
private func flat(_ colour: RGB = RGB(red: 200, green: 0, blue: 0), _ width: Int = 320, _ height: Int = 240)
  -> Raster<RGBA>
{
  Raster(width: width, height: height, filledWith: RGBA(colour))
}

@Suite("Pictures of frames")
struct FramePictureTests {
  @Test("the two lines stand in the middle of the box, on its plate")
  func label() throws {
    let canvas = try Canvas(width: 1, height: 1)
    let mark = DetectionMark(
      box: Rectangle(x: 200, y: 100, width: 180, height: 200), lines: ["cup 95%", "2.30 m"])
    let place = mark.placement(in: frame, measuringOn: canvas)
    let style = DetectionMark.style(in: frame)
    let middle = SIMD2(frame.x + 290, frame.y + 200)
    #expect(abs(place.plate.x + place.plate.width / 2 - middle.x) < 1e-9)
    #expect(abs(place.plate.y + place.plate.height / 2 - middle.y) < 1e-9)
    #expect(place.baselines.map(\.x) == [middle.x, middle.x])
    #expect(abs(place.baselines[1].y - place.baselines[0].y - style.lineHeight) < 1e-9)
    // Capitals, 0.729 of the size high, are centred on the box, line by line.
    let capitals = place.baselines.map { $0.y - 0.729 * style.size / 2 }
    #expect(abs((capitals[0] + capitals[1]) / 2 - middle.y) < 1e-9)
    #expect(place.plate.width >= canvas.textWidth("cup 95%", style))
  }

  @Test("a label stays in the picture", arguments: [(-40.0, -30.0), (620, 460), (-5, 470)])
  func labelInside(_ x: Double, _ y: Double) throws {
    let canvas = try Canvas(width: 1, height: 1)
    let mark = DetectionMark(
      box: Rectangle(x: x, y: y, width: 50, height: 40), lines: ["refrigerator 80%", "3.21 m"])
    let plate = mark.placement(in: frame, measuringOn: canvas).plate
    #expect(plate.x >= frame.x && plate.maxX <= frame.maxX && plate.y >= frame.y && plate.maxY <= frame.maxY)
  }

  @Test("without annotations a picture is its pixels; with them it has room for all of them")
  func sizes() throws {
    let scale = ColourScale(range: 0...1, label: "depth", unit: "m")
    let panel = FramePicture.Panel(
      flat(), legends: [.bar(scale), .entries(title: "boxes", [.init("auto", .black)])])
    let bare = FramePicture([panel, panel], isAnnotated: false)
    #expect(try bare.size() == RasterSize(width: 640, height: 240))
    let pixels = try bare.pixels()
    #expect(Set(pixels.values) == [RGB(red: 200, green: 0, blue: 0)])
    let layout = PictureLayout(FramePicture([panel]), measuringOn: try Canvas(width: 1, height: 1))
    let places = layout.panels[0].legends
    #expect(places.count == 2 && places[0].maxY < places[1].y)
    #expect(places.allSatisfy { $0.x > layout.panels[0].image.maxX && $0.maxX <= Double(layout.width) })
    #expect(places[1].maxY <= Double(layout.height))
  }

  @Test("margins are white, and what is transparent stays so")
  func margins() throws {
    let picture = FramePicture([.init(.clear(RasterSize(width: 64, height: 48)), caption: "room-01, frame 0")]
    )
    let pixels = try picture.pixels()
    #expect(pixels[0, 0] == RGB(red: 255, green: 255, blue: 255))
    #expect(try picture.png() == picture.png())
  }

  @Test(
    "SVG: pixels are embedded, lines and letters are vectors, and ids do not depend on what was drawn before")
  func svg() throws {
    let mark = DetectionMark(
      box: Rectangle(x: 50, y: 50, width: 100, height: 80), lines: ["cup 95%", "2.30 m"])
    let wire = WireframeMark(
      visible: [([10, 10], [90, 40])], hidden: [([10, 10], [20, 90])], colour: .white)
    let picture = FramePicture([.init(flat(), marks: [mark, wire], caption: "room-01")])
    let first = try picture.svg()
    _ = try Canvas(width: 3, height: 3).png()
    _ = try FramePicture([.init(flat()), .init(flat())]).svg()
    #expect(try picture.svg() == first)
    let text = String(decoding: first, as: UTF8.self)
    #expect(text.contains("data:image/png;base64,") && text.contains("<path") && text.contains("<use"))
    // Every reference has its id.
    let ids = Set(text.matches(of: #/ id="([^"]+)"/#).map { String($0.1) })
    let references = Set(text.matches(of: #/(?:href="|url\()#([^")]+)/#).map { String($0.1) })
    #expect(!references.isEmpty && references.isSubset(of: ids))
  }

  @Test("an animation keeps every pixel of every frame, and its pace")
  func animation() throws {
    let size = RasterSize(width: 33, height: 21)
    func frame(_ shift: Int) -> Raster<RGB> {
      Raster(
        width: 33, height: 21,
        values: (0..<33 * 21).map {
          RGB(red: UInt8(($0 * 7 + shift) % 256), green: UInt8($0 % 256), blue: UInt8(shift))
        })
    }
    func film() throws -> [UInt8] {
      var film = try AnimatedWebP(size: size, framesPerSecond: 4)
      for shift in [0, 90, 200] { try film.add(frame(shift)) }
      return try film.file()
    }
    let bytes = try film()
    #expect(try film() == bytes)
    #expect(Array(bytes[0..<4]) == Array("RIFF".utf8) && Array(bytes[8..<12]) == Array("WEBP".utf8))
    try bytes.withUnsafeBufferPointer { buffer in
      var data = WebPData(bytes: buffer.baseAddress, size: buffer.count)
      let mux = try #require(WebPMuxCreate(&data, 0))
      defer { WebPMuxDelete(mux) }
      var count: Int32 = 0
      #expect(WebPMuxNumChunks(mux, WEBP_CHUNK_ANMF, &count) == WEBP_MUX_OK && count == 3)
      var info = WebPMuxFrameInfo()
      #expect(WebPMuxGetFrame(mux, 2, &info) == WEBP_MUX_OK && info.duration == 250)
      WebPDataClear(&info.bitstream)
    }
    #expect(throws: GraphicsError.self) {
      _ = try AnimatedWebP(size: RasterSize(width: 20_000, height: 4), framesPerSecond: 5)
    }
  }
}
