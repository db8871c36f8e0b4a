import DepthCore
import DepthGraphics
import FathomPictureFiles
import FathomTestSupport
import Testing

@Suite struct PictureReaderTests {
  private func fault(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return (error as? PictureFault)?.reason }
    return nil
  }

  @Test func sixteenBitsComeBackAsTheyAre() throws {
    let values = (0..<256).map { UInt16($0 * 257) } + [1, 1000, 65_534]
    let map = try PNGReader.grey(MadePNG.grey16(37, 7, values))
    #expect(map.size == RasterSize(width: 37, height: 7))
    #expect(map.values == values)
  }

  @Test("rows of every filter", arguments: 0..<5)
  func filters(first: Int) throws {
    var generator = SplitMix64(seed: UInt64(first))
    let values = (0..<231).map { _ in UInt16.random(in: 0...UInt16.max, using: &generator) }
    #expect(try PNGReader.grey(MadePNG.filtered16(21, 11, values, first: first)).values == values)
  }

  @Test func gammaAndProfilesChangeNoNumber() throws {
    // gAMA 1/2.2, and a profile that is none.
    let chunks: [(String, [UInt8])] = [
      ("gAMA", [0, 0, 0xB1, 0x8F]), ("iCCP", Array("x".utf8) + [0, 0, 1, 2, 3]), ("iDOT", [0, 0, 0, 2]),
    ]
    #expect(
      try PNGReader.grey(MadePNG.grey16(2, 1, [1234, 40_000], chunks: chunks)).values == [1234, 40_000])
    #expect(try PNGReader.grey(MadePNG.grey8(3, 1, [0, 1, 2], chunks: chunks)).values == [0, 1, 2])
  }

  @Test func aCutFileIsSaidToBeCut() throws {
    let whole = MadePNG.grey16(20, 20, (0..<400).map { UInt16($0) })
    for count in [20, 40, 300, whole.count - 13, whole.count - 5] {
      let cut = Array(whole.prefix(count))
      #expect(fault { _ = try PNGReader.grey(cut) } == "the PNG is cut short")
      #expect(fault { try PNGReader.requireWhole(cut) } == "the PNG is cut short")
    }
    try PNGReader.requireWhole(whole)
  }

  @Test func aDamagedFileIsAnErrorAndNoCrash() throws {
    let whole = MadePNG.grey16(20, 20, (0..<400).map { UInt16($0) })
    for place in stride(from: 8, to: whole.count, by: 3) {
      var damaged = whole
      damaged[place] ^= 0x5A
      // Whatever is hit: an error, or the right numbers where what was hit does not matter.
      if let map = try? PNGReader.grey(damaged) { #expect(map.values == (0..<400).map { UInt16($0) }) }
    }
  }

  @Test func coloursAreNoMap() throws {
    let rgb = MadePNG.rgb(1, 1, [9, 9, 9])
    #expect(
      fault { _ = try PNGReader.grey(rgb) } == "it is not a single-channel map: it has colour or alpha")
    #expect(try PictureReader.picture(rgb).values == [RGB(red: 9, green: 9, blue: 9)])
  }

  @Test("grey with opacity and three equal channels are maps of 16 bits, unlike ones are none")
  func channelsThatAreOne() throws {
    let opaque = MadePNG.channels16(2, 1, colour: 4, [1234, 65_535, 40_000, 65_535])
    let equal = MadePNG.channels16(2, 1, colour: 2, [1234, 1234, 1234, 40_000, 40_000, 40_000])
    for file in [opaque, equal] { #expect(try PNGReader.grey(file).values == [1234, 40_000]) }
    let colours = MadePNG.channels16(1, 1, colour: 2, [1234, 1234, 1235])
    #expect(fault { _ = try PNGReader.grey(colours) } == PNGReader.colourMap.reason)
  }

  @Test func aDeclaredSizeIsHeldAgainstALimitFirst() throws {
    var bomb = MadePNG.grey16(1, 1, [0])
    // 65,536×65,536, with a checksum that is wrong now.
    bomb.replaceSubrange(16..<24, with: [0, 1, 0, 0, 0, 1, 0, 0])
    #expect(fault { _ = try PNGReader.grey(bomb) } != nil)
    #expect(
      fault { _ = try PNGReader.grey([UInt8](repeating: 1, count: 64)) }?.hasPrefix("the PNG cannot be read")
        == true)
  }

  @Test func aJPEGIsReadAndACutOneIsNot() throws {
    let pixels = (0..<512).map { index -> RGB in
      let (row, column) = (index / 32, index % 32)
      return RGB(red: UInt8(8 * column), green: UInt8(16 * row), blue: 90)
    }
    let picture = Raster(width: 32, height: 16, values: pixels)
    let file = try JPEG.encode(picture, quality: 100)
    let read = try PictureReader.picture(file)
    #expect(read.size == picture.size)
    #expect(try PictureReader.size(Array(file.prefix(700))) == picture.size)
    for (a, b) in zip(read.values, picture.values) { #expect(abs(Int(a.red) - Int(b.red)) <= 3) }
    #expect(
      fault { _ = try PictureReader.picture(Array(file.prefix(file.count - 60))) } == "the JPEG is cut short")
    #expect(fault { _ = try PictureReader.picture([]) } == "it is empty")
    #expect(fault { _ = try PictureReader.picture(Array("GIF89a".utf8)) } == "it is not PNG, JPEG or TIFF")
  }
}
