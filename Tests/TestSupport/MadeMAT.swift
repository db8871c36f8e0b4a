/// MATLAB's files of level 5, put together byte by byte.
///
/// - SeeAlso: MathWorks, "MAT-File Format", level 5.
public enum MadeMAT {
  /// A file of one array.
  ///
  /// - Parameters:
  ///   - kind: MATLAB's class: 6 double, 9 bytes, 11 unsigned of 16 bits.
  ///   - type: How the numbers stand in the file: 2 for bytes.
  ///   - isPacked: Whether it stands in a stream of zlib, as MATLAB writes by default.
  public static func file(
    _ name: String, _ shape: [Int], kind: UInt8, type: Int, _ bytes: [UInt8], isPacked: Bool = false
  ) -> [UInt8] { file(matrix(name, shape, kind: kind, type: type, bytes), isPacked) }

  /// A file of one structure "data", whose fields are arrays of doubles.
  public static func structure(_ fields: [(name: String, shape: [Int], bytes: [UInt8])]) -> [UInt8] {
    let names = fields.flatMap { Array($0.name.utf8) + [UInt8](repeating: 0, count: 32 - $0.name.utf8.count) }
    let arrays = fields.flatMap { matrix("", $0.shape, kind: 6, type: 9, $0.bytes) }
    return file(
      element(
        14,
        element(6, [2, 0, 0, 0, 0, 0, 0, 0]) + element(5, [1, 1].flatMap(word))
          + element(1, Array("data".utf8))
          + element(5, word(32)) + element(1, names) + arrays), false)
  }

  private static func matrix(
    _ name: String, _ shape: [Int], kind: UInt8, type: Int, _ bytes: [UInt8]
  ) -> [UInt8] {
    element(
      14,
      element(6, [kind, 0, 0, 0, 0, 0, 0, 0]) + element(5, shape.flatMap(word)) + element(1, Array(name.utf8))
        + element(type, bytes))
  }

  private static func file(_ matrix: [UInt8], _ isPacked: Bool) -> [UInt8] {
    let title = Array("MATLAB 5.0 MAT-file".utf8)
    let head = title + [UInt8](repeating: 0x20, count: 124 - title.count) + [0, 1] + Array("IM".utf8)
    guard isPacked else { return head + matrix }
    let stream = zlib(matrix)
    return head + word(15) + word(stream.count) + stream
  }

  private static func element(_ type: Int, _ bytes: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
    // Up to four bytes stand in the tag.
    guard bytes.count > 4 else {
      return [UInt8(type), 0, UInt8(bytes.count), 0] + bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
    }
    return word(type) + word(bytes.count) + bytes + padding
  }

  /// One block that is not compressed.
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    let (low, high) = (UInt8(bytes.count & 255), UInt8(bytes.count >> 8))
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return [0x78, 0x01, 1, low, high, ~low, ~high] + bytes + word(b << 16 | a).reversed()
  }

  private static func word(_ number: Int) -> [UInt8] { [0, 8, 16, 24].map { UInt8(number >> $0 & 255) } }
}
