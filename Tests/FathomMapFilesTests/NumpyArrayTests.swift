import DepthCore
import FathomMapFiles
import FathomPictureFiles
import FathomTestSupport
import Testing

@Suite struct NumpyArrayTests {
  private func file(_ type: String, _ shape: String, _ data: [UInt8], order: String = "False") -> [UInt8] {
    MadeNumpy.array(data, shape, type: type, order: order)
  }
  private func bytes<Number: BitwiseCopyable>(_ numbers: [Number]) -> [UInt8] {
    numbers.withUnsafeBytes { Array($0) }
  }
  private func values(_ file: [UInt8]) throws -> [Double] { try NumpyArray(file).values(file) }
  private func fault(_ file: [UInt8]) -> String? {
    do throws(PictureFault) { _ = try NumpyArray(file) } catch { return error.reason }
    return nil
  }

  @Test func everyTypeOfNumberIsRead() throws {
    #expect(try values(file("<f4", "1, 2", bytes([Float(1.5), -2]))) == [1.5, -2])
    #expect(try values(file("<f8", "2, 1", bytes([1.5, 1e300]))) == [1.5, 1e300])
    #expect(try values(file("<f2", "1, 3", bytes([UInt16(0x3C00), 0xC100, 0x0001]))) == [1, -2.5, 0x1p-24])
    #expect(try values(file(">u2", "1, 2", [1, 0, 0, 2])) == [256, 2])
    #expect(try values(file("|u1", "1, 2", [7, 255])) == [7, 255])
    #expect(try values(file("<i4", "1, 1", bytes([Int32(-5)]))) == [-5])
  }

  @Test func axesOfLengthOneAndColumnsFirstAreRead() throws {
    let numbers = bytes([Float(1), 2, 3, 4, 5, 6])
    #expect(try NumpyArray(file("<f4", "1, 2, 3", numbers)).size == RasterSize(width: 3, height: 2))
    #expect(try NumpyArray(file("<f4", "2, 3, 1", numbers)).size == RasterSize(width: 3, height: 2))
    let stack = try NumpyArray(file("<f4", "3, 1, 1, 2", numbers), allowsStacks: true)
    #expect(stack.layerCount == 3 && stack.size == RasterSize(width: 2, height: 1))
    let batch = try NumpyArray(file("<f4", "2, 1, 3, 1", numbers), allowsStacks: true)
    #expect(batch.layerCount == 1 && batch.size == RasterSize(width: 3, height: 2))
    #expect(try NumpyArray(file("<f4", "1, 1, 2, 3", numbers)).size == RasterSize(width: 3, height: 2))
    #expect(try values(file("<f4", "2, 3", numbers, order: "True")) == [1, 3, 5, 2, 4, 6])
  }

  @Test func whatIsNoMapIsRefused() {
    #expect(
      fault(file("|O", "1, 1", [0]))?.contains("it holds Python objects, which would be code; numpy.load")
        == true)
    #expect(fault(file("<c8", "1, 1", [0])) == "it holds numbers of the type '<c8'")
    #expect(fault(file("<f4", "4,", bytes([Float(1), 2, 3, 4])))?.contains("shape (h, w)") == true)
    #expect(fault(file("<f4", "2, 2", bytes([Float(1)]))) == "the array is cut short")
    #expect(fault(file("<f4", "99999999999, 2", []))?.contains("shape") == true)
    var later = file("<f4", "1, 1", bytes([Float(1)]))
    later[6] = 4
    #expect(fault(later) == "it is in version 4 of numpy's format, and 1 to 3 are known")
    #expect(fault(Array("PK".utf8)) == "it is not in numpy's format")
  }
}
