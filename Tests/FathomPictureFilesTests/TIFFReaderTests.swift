import DepthCore
import FathomPictureFiles
import FathomTestSupport
import Testing

@Suite struct TIFFReaderTests {
  private func fault(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return (error as? PictureFault)?.reason }
    return nil
  }

  @Test func numbersOfEveryKindComeBackAsTheyAre() throws {
    let floats: [Float] = [0, 1.5, -2, .infinity, 1e30, 0.1]
    #expect(try TIFFReader.map(MadeTIFF.floats(3, 2, floats)).values == floats)
    #expect(
      try TIFFReader.map(MadeTIFF.file(2, 1, bits: 16, format: 1, [0xE8, 3, 0xFF, 0xFF])).values == [
        1000, 65_535,
      ])
    #expect(
      try TIFFReader.map(MadeTIFF.file(2, 1, bits: 16, format: 2, [0xE8, 3, 0xFF, 0xFF])).values == [
        1000, -1,
      ])
    #expect(
      try TIFFReader.map(MadeTIFF.file(2, 1, bits: 16, format: 3, [0, 0x3C, 0, 0xB8])).values == [1, -0.5])
    #expect(try TIFFReader.map(MadeTIFF.file(3, 1, bits: 8, format: 1, [0, 7, 255])).values == [0, 7, 255])
  }

  @Test func coloursAreNoMap() throws {
    let rgb = MadeTIFF.file(1, 1, bits: 8, format: 1, samples: 3, [1, 2, 3])
    #expect(fault { _ = try TIFFReader.map(rgb) }?.hasPrefix("it") == true)
  }

  @Test("a picture in grey or colours of 8 bits is read, and no other")
  func pictures() throws {
    let rgb = MadeTIFF.file(2, 1, bits: 8, format: 1, samples: 3, [1, 2, 3, 4, 5, 6])
    let colours = [RGB(red: 1, green: 2, blue: 3), RGB(red: 4, green: 5, blue: 6)]
    #expect(try PictureReader.picture(rgb).values == colours)
    #expect(try PictureReader.size(rgb) == RasterSize(width: 2, height: 1))
    let packed = MadeTIFF.file(2, 1, bits: 8, format: 1, samples: 3, isPacked: true, [1, 2, 3, 4, 5, 6])
    #expect(try PictureReader.picture(packed).values == colours)
    let grey = MadeTIFF.file(2, 1, bits: 8, format: 1, [7, 255])
    #expect(try PictureReader.picture(grey).values == [7, 255].map { RGB(red: $0, green: $0, blue: $0) })
    let deep = MadeTIFF.file(1, 1, bits: 16, format: 1, [7, 7])
    #expect(
      fault { _ = try PictureReader.picture(deep) }
        == "it has 16 bits a pixel, and a picture has 8 a channel")
    let deepColours = MadeTIFF.file(1, 1, bits: 16, format: 1, samples: 3, [1, 0, 2, 0, 3, 0])
    #expect(fault { _ = try PictureReader.picture(deepColours) }?.hasPrefix("it has colours") == true)
    for count in 0..<rgb.count - 4 {
      #expect(fault { _ = try PictureReader.picture(Array(rgb.prefix(count))) } != nil, "\(count) bytes")
    }
  }

  @Test func aCutOrDamagedFileIsAnErrorAndNoCrash() throws {
    let whole = MadeTIFF.floats(9, 7, (0..<63).map { Float($0) })
    for count in 0..<whole.count - 4 {
      #expect(fault { _ = try TIFFReader.map(Array(whole.prefix(count))) } != nil, "\(count) bytes")
    }
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= 0xFF
      _ = try? TIFFReader.map(damaged)
    }
  }

  @Test func aDeclaredSizeIsHeldAgainstTheBytesFirst() {
    let bomb = MadeTIFF.file(8192, 8192, bits: 32, format: 3, [0, 0, 0, 0])
    #expect(fault { _ = try TIFFReader.map(bomb) } == "it declares more pixels than its bytes can hold")
  }
}
