import DepthCore

/// A map as OpenEXR: one part, one channel Y of 32-bit numbers, rows from the top, not compressed.
/// - SeeAlso: "OpenEXR File Layout", openexr.com.
enum EXRFile {
  static func encode(_ map: DepthMap) -> [UInt8] {
    let window = [0, 0, map.width - 1, map.height - 1].flatMap { little(UInt32($0)) }
    // Pixel type 2 is FLOAT; then linearity and three reserved bytes, and the sampling along both axes.
    let channel = Array("Y\0".utf8) + little(2) + little(0) + little(1) + little(1) + [0]
    var file = little(20_000_630) + little(2)
    file += attribute("channels", "chlist", channel)
    file += attribute("compression", "compression", [0])
    file += attribute("dataWindow", "box2i", window) + attribute("displayWindow", "box2i", window)
    file += attribute("lineOrder", "lineOrder", [0])
    file += attribute("pixelAspectRatio", "float", little(Float(1).bitPattern))
    file += attribute("screenWindowCenter", "v2f", little(0) + little(0))
    file += attribute("screenWindowWidth", "float", little(Float(1).bitPattern)) + [0]
    let (first, bytes) = (file.count + 8 * map.height, 4 * map.width)
    for row in 0..<map.height { file += little(UInt64(first + row * (8 + bytes))) }
    for row in 0..<map.height {
      file += little(UInt32(row)) + little(UInt32(bytes))
      for value in map.values[(row * map.width)..<((row + 1) * map.width)] {
        file += little(value.bitPattern)
      }
    }
    return file
  }

  private static func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
    Array("\(name)\0\(type)\0".utf8) + little(UInt32(value.count)) + value
  }

  private static func little(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static func little(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
