private import CFathomDeflate
import DepthCore

/// A map in numpy's format, by itself or as the only array of a `.npz`.
/// - SeeAlso: NEP 1, "A simple file format for NumPy arrays"; PKWARE's APPNOTE, 4.3.
enum NumpyFile {
  static func npy(_ map: DepthMap) -> [UInt8] {
    npy("<f4", map.size, map.values.flatMap { littleEndian($0.bitPattern, 4) })
  }

  static func npy(_ map: Raster<UInt8>) -> [UInt8] { npy("|u1", map.size, map.values) }

  private static func npy(_ type: String, _ size: RasterSize, _ numbers: [UInt8]) -> [UInt8] {
    var header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(size.height), \(size.width)), }"
    // What stands before the numbers is a multiple of 64 bytes long and ends with a line feed.
    header += String(repeating: " ", count: 63 - (10 + header.utf8.count) % 64) + "\n"
    return [0x93] + Array("NUMPY".utf8) + [1, 0] + littleEndian(UInt32(header.utf8.count), 2)
      + Array(header.utf8) + numbers
  }

  /// A zip with one array that is not packed.
  static func npz(_ name: String, _ array: [UInt8]) -> [UInt8] {
    let file = Array("\(name).npy".utf8)
    let sum = array.withUnsafeBytes {
      UInt32(truncatingIfNeeded: libdeflate_crc32(0, $0.baseAddress, $0.count))
    }
    let size = UInt32(array.count)
    // Version, flags, method, time and date (1 January 1980), sum, lengths.
    let common =
      littleEndian(20, 2) + [0, 0, 0, 0, 0, 0, 0x21, 0] + littleEndian(sum, 4) + littleEndian(size, 4)
      + littleEndian(size, 4) + littleEndian(UInt32(file.count), 2) + [0, 0]
    let entry = littleEndian(0x0403_4B50, 4) + common + file + array
    let listed =
      littleEndian(0x0201_4B50, 4) + littleEndian(20, 2) + common + [UInt8](repeating: 0, count: 14) + file
    return entry + listed + littleEndian(0x0605_4B50, 4) + [0, 0, 0, 0, 1, 0, 1, 0]
      + littleEndian(UInt32(listed.count), 4) + littleEndian(UInt32(entry.count), 4) + [0, 0]
  }

  private static func littleEndian(_ number: UInt32, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
  }
}
