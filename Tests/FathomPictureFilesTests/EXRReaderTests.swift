import DepthCore
import Foundation
import FathomPictureFiles
import FathomTestSupport
import Testing

@Suite struct EXRReaderTests {
  private func fault(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return (error as? PictureFault)?.reason }
    return nil
  }

  @Test func floatsComeBackAsTheyAre() throws {
    let values: [Float] = [0, 1.5, -2, .infinity, 1e30, 0.1]
    let map = try EXRReader.map(MadeEXR.floats("Y", 3, 2, values))
    #expect(map.size == RasterSize(width: 3, height: 2))
    #expect(map.values == values)
  }

  @Test func halvesBecomeFloats() throws {
    // 1, 0.5, infinity, the smallest above 0.
    let file = MadeEXR.file(2, 2, [("R", .half, [0x3C00, 0x3800, 0x7C00, 1])])
    #expect(try EXRReader.map(file).values == [1, 0.5, .infinity, 5.9604645e-8])
    #expect(try EXRReader.header(file).areHalf == [true])
  }

  @Test func oneOfSeveralChannelsIsTakenByItsName() throws {
    func bits(_ start: Float) -> [UInt32] { (0..<6).map { (start + Float($0)).bitPattern } }
    let mixed = MadeEXR.file(
      3, 2,
      [("A", .half, [UInt32](repeating: 0, count: 6)), ("R", .float, bits(10)), ("Z", .float, bits(20))])
    #expect(try EXRReader.map(mixed).values == [20, 21, 22, 23, 24, 25])
    #expect(try EXRReader.map(mixed, channel: "R").values == [10, 11, 12, 13, 14, 15])
    #expect(fault { _ = try EXRReader.map(mixed, channel: "Q") } == "it has no channel 'Q', but A, R, Z")
    let colours = MadeEXR.file(3, 2, [("B", .float, bits(0)), ("R", .float, bits(1))])
    #expect(
      fault { _ = try EXRReader.map(colours) }
        == "it has the channels B, R, which differ, and none of them is 'Z'")
  }

  @Test("the only channel beside opacity is the map, and equal channels are one")
  func channelsThatAreOne() throws {
    let values: [Float] = [0, 1.5, -2, .nan, 1e30, 0.1]
    let bits = values.map(\.bitPattern)
    let opacity: MadeEXR.Channel = ("A", .half, [UInt32](repeating: 0x3C00, count: 6))
    let files = [
      MadeEXR.file(3, 2, [opacity, ("V", .float, bits)]),
      MadeEXR.file(3, 2, [opacity, ("B", .float, bits), ("G", .float, bits), ("R", .float, bits)]),
    ]
    for file in files { #expect(try EXRReader.map(file).values.map(\.bitPattern) == bits) }
  }

  @Test func aCutOrDamagedFileIsAnErrorAndNoCrash() throws {
    let whole = MadeEXR.floats("Y", 9, 7, (0..<63).map { Float($0) })
    for count in 0..<whole.count {
      #expect(fault { _ = try EXRReader.map(Array(whole.prefix(count))) } != nil, "\(count) bytes")
    }
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= 0xFF
      _ = try? EXRReader.map(damaged)
    }
  }

  @Test func aDeclaredSizeIsHeldAgainstTheBytesFirst() throws {
    var bomb = MadeEXR.floats("Y", 2, 2, [1, 2, 3, 4])
    let name = Array("dataWindow".utf8)
    let place = try #require(
      (0..<bomb.count - name.count).first { bomb[$0..<$0 + name.count].elementsEqual(name) })
    // 65,536 × 65,536: behind the name, "box2i", the length and the upper corner.
    let corner = place + 11 + 6 + 4 + 8
    bomb.replaceSubrange(corner..<corner + 8, with: [0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0])
    #expect(fault { _ = try EXRReader.header(bomb) } != nil)
  }

  @Test(.enabled(if: PackageFiles.realData != nil, "the real recordings are absent; set FATHOM_REAL_DATA"))
  func record3DsDepthIsHalfFloatsInOneChannel() throws {
    let file = try [UInt8](
      Data(contentsOf: URL(fileURLWithPath: PackageFiles.realDataPath("sources/record3d/depth/0.exr"))))
    let header = try EXRReader.header(file)
    #expect(header.channels == ["R"] && header.areHalf == [true])
    let map = try EXRReader.map(file)
    #expect(map.size == RasterSize(width: 192, height: 256))
    let depths = map.values.filter { $0.isFinite && $0 > 0 }
    #expect(try #require(depths.min()) >= 0.12 && #require(depths.max()) <= 1.56)
    #expect(depths.count > map.values.count / 2)
  }
}
