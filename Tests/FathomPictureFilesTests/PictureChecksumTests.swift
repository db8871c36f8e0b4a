import DepthCore
import FathomPictureFiles
import FathomTestSupport
import Testing

/// Bytes that changed in a picture are noticed where its format has checksums.
@Suite struct PictureChecksumTests {
  /// Changes each byte in turn; what is read then is what was, or an error.
  ///
  /// - Returns: At how many places it was refused.
  private func refusals<Value: Equatable>(
    _ file: [UInt8], in places: Range<Int>? = nil, _ read: ([UInt8]) throws -> [Value]
  ) throws -> Int {
    let whole = try read(file)
    var refused = 0
    for place in places ?? file.indices {
      var changed = file
      changed[place] ^= 1 << (place % 8)
      guard let found = try? read(changed) else {
        refused += 1
        continue
      }
      #expect(found == whole, "byte \(place)")
    }
    return refused
  }

  @Test("PNG: CRC-32 of every chunk that numbers come from")
  func png() throws {
    let values = (0..<60).map { UInt16($0 * 1000) }
    let file = MadePNG.grey16(10, 6, values, chunks: [("gAMA", [0, 0, 0xB1, 0x8F])])
    let refused = try refusals(file) { try PNGReader.grey($0).values }
    // A chunk that says how numbers are to be shown may be damaged: 4 + 4 + 4 + 4 bytes.
    #expect(refused >= file.count - 16)
    let colours = MadePNG.rgb(5, 4, (0..<60).map { UInt8($0 * 4) })
    #expect(try refusals(colours) { try PNGReader.colour($0).values } == colours.count)
  }

  @Test("PNG: numbers in text chunks count only where every chunk has its checksum")
  func texts() throws {
    let near: (String, [UInt8]) = ("tEXt", Array("near".utf8) + [0] + Array("0.5".utf8))
    let file = MadePNG.grey16(2, 1, [1, 2], chunks: [near])
    #expect(try PNGReader.numbers(file) == ["near": 0.5])
    // Behind the signature every bit counts.
    let refused = try refusals(file, in: 8..<file.count) { try PNGReader.numbers($0).map { "\($0)" } }
    #expect(refused == file.count - 8)
  }

  @Test("EXR packed with ZIP: Adler-32 of every block")
  func exr() throws {
    let bits: UInt32 = 0x3F80_3F80
    let (file, size) = MadeEXR.packed(256, 3, bits)
    #expect(try EXRReader.map(file).values == [Float](repeating: Float(bitPattern: bits), count: 768))
    // The bits that fill the last byte of the stream mean nothing.
    #expect(
      try refusals(file, in: file.count - size..<file.count) { try EXRReader.map($0).values } >= size - 1)
  }

  @Test("TIFF packed with Deflate: Adler-32 of every strip")
  func tiff() throws {
    let pixels = (0..<120).map { UInt8($0 * 2) }
    let file = MadeTIFF.file(10, 6, bits: 16, format: 1, isPacked: true, pixels)
    let size = MadeDeflate.zlib(pixels).count
    #expect(try refusals(file, in: 8..<8 + size) { try TIFFReader.map($0).values } >= size - 1)
  }
}
