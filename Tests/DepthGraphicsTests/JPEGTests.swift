import CFathomTurboJPEG
import DepthCore
import DepthGraphics
import Testing

/// What libjpeg-turbo's own decoder makes of a file.
private func decoded(_ file: [UInt8]) throws -> Raster<RGB> {
  let decoder = try #require(tjInitDecompress())
  defer { tjDestroy(decoder) }
  var (width, height, subsampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
  #expect(
    tjDecompressHeader3(decoder, file, UInt(file.count), &width, &height, &subsampling, &space) == 0)
  var bytes = [UInt8](repeating: 0, count: Int(width * height) * 3)
  #expect(
    tjDecompress2(
      decoder, file, UInt(file.count), &bytes, width, 0, height, Int32(TJPF_RGB.rawValue), TJFLAG_ACCURATEDCT)
      == 0)
  let values = (0..<Int(width * height)).map {
    RGB(red: bytes[3 * $0], green: bytes[3 * $0 + 1], blue: bytes[3 * $0 + 2])
  }
  return Raster(width: Int(width), height: Int(height), values: values)
}

/// Smooth in both directions, every channel another.
private func gradient(_ width: Int, _ height: Int) -> Raster<RGB> {
  Raster(
    width: width, height: height,
    values: (0..<width * height).map { index in
      let (row, column) = (index / width, index % width)
      return RGB(
        red: UInt8(255 * column / max(width - 1, 1)), green: UInt8(255 * row / max(height - 1, 1)),
        blue: UInt8(128))
    })
}

private func largestDifference(_ a: Raster<RGB>, _ b: Raster<RGB>) -> Int {
  zip(a.values, b.values).map { x, y in
    max(
      abs(Int(x.red) - Int(y.red)), abs(Int(x.green) - Int(y.green)), abs(Int(x.blue) - Int(y.blue)))
  }.max() ?? 0
}

@Suite("JPEG and smaller images")
struct JPEGTests {
  @Test("what is decoded is the image, channels in order, at sides that are not multiples of 8")
  func roundTrip() throws {
    let image = gradient(61, 43)
    let file = try JPEG.encode(image, quality: 95)
    let back = try decoded(file)
    #expect(back.size == image.size && largestDifference(back, image) <= 6)
    #expect(try JPEG.encode(image, quality: 95) == file)
  }

  @Test("quality matters, and colour is not subsampled")
  func quality() throws {
    let image = gradient(200, 150)
    #expect(try JPEG.encode(image, quality: 30).count < JPEG.encode(image, quality: 95).count)
    // One column of another colour and the same lightness: subsampling would smear it over its neighbour.
    var line = Raster(width: 32, height: 32, filledWith: RGB(red: 128, green: 128, blue: 128))
    for row in 0..<32 { line[row, 15] = RGB(red: 228, green: 84, blue: 100) }
    let back = try decoded(try JPEG.encode(line, quality: 100))
    #expect(largestDifference(back, line) <= 4)
  }

  @Test("an image without pixels or of too many a side is refused in one line")
  func refused() throws {
    let empty = Raster<RGB>(width: 0, height: 3, values: [])
    let error = #expect(throws: GraphicsError.self) { _ = try JPEG.encode(empty) }
    #expect(error?.description == "cannot write a picture of 0×3 as JPEG: it has no pixels")
    let long = Raster(width: 65_501, height: 1, filledWith: RGB(red: 0, green: 0, blue: 0))
    #expect(throws: GraphicsError.self) { _ = try JPEG.encode(long) }
  }

  @Test("a smaller image is the average, a larger one lies between, the same one is itself")
  func resized() throws {
    let image = gradient(64, 48)
    let small = try image.resized(to: RasterSize(width: 16, height: 12))
    #expect(small.size == RasterSize(width: 16, height: 12))
    for (row, column) in [(3, 4), (6, 9), (8, 12)] {
      let pixel = small[row, column]
      // The middle of the four columns and rows that it stands for.
      let (red, green) = (255 * (4 * Double(column) + 1.5) / 63, 255 * (4 * Double(row) + 1.5) / 47)
      #expect(abs(Double(pixel.red) - red) <= 2 && abs(Double(pixel.green) - green) <= 2)
    }
    let large = try image.resized(to: RasterSize(width: 640, height: 480))
    #expect(abs(Int(large[240, 320].red) - 128) <= 3 && abs(Int(large[240, 320].green) - 128) <= 3)
    #expect(try image.resized(to: image.size) == image)
    #expect(throws: GraphicsError.self) { _ = try image.resized(to: RasterSize(width: 0, height: 5)) }
  }
}
