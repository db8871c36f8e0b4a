/// Small EXR files, with any channels.
public enum MadeEXR {
  public enum Kind: UInt8, Sendable { case whole = 0, half = 1, float = 2 }

  /// A channel: its name, its kind, and for each pixel the bits of its number.
  public typealias Channel = (name: String, kind: Kind, bits: [UInt32])

  public static func file(_ width: Int, _ height: Int, _ channels: [Channel]) -> [UInt8] {
    let channels = channels.sorted { $0.name < $1.name }
    let lines = (0..<height).map { row in
      channels.flatMap { channel in
        (0..<width).flatMap { column in
          little(channel.bits[row * width + column]).prefix(channel.kind == .half ? 2 : 4)
        }
      }
    }
    return file(width, height, channels.map { ($0.name, $0.kind) }, compression: 0, lines)
  }

  /// A map of equal numbers, each line packed with zlib (ZIPS) as the differences of its bytes.
  ///
  /// - Parameter bits: Of the number; two halves that are alike, so that packing makes the line shorter.
  /// - Returns: And how many bytes a packed line has; the last one ends the file.
  public static func packed(_ width: Int, _ height: Int, _ bits: UInt32) -> (file: [UInt8], lineBytes: Int) {
    let line = (0..<width).flatMap { _ in little(bits) }
    // The even bytes, then the odd ones.
    let split = [0, 1].flatMap { first in stride(from: first, to: line.count, by: 2).map { line[$0] } }
    let differences = split.indices.map { place in
      place == 0 ? split[0] : UInt8((Int(split[place]) - Int(split[place - 1]) + 384) & 255)
    }
    let packed = MadeDeflate.zlib(differences)
    let lines = [[UInt8]](repeating: packed, count: height)
    return (file(width, height, [("Y", .float)], compression: 2, lines), packed.count)
  }

  /// - Parameter channels: In the order of their names.
  private static func file(
    _ width: Int, _ height: Int, _ channels: [(name: String, kind: Kind)], compression: UInt8,
    _ lines: [[UInt8]]
  ) -> [UInt8] {
    var list: [UInt8] = []
    for channel in channels {
      list +=
        text(channel.name) + little(UInt32(channel.kind.rawValue)) + [0, 0, 0, 0] + little(1) + little(1)
    }
    let window = little(0) + little(0) + little(UInt32(width - 1)) + little(UInt32(height - 1))
    var file: [UInt8] = [0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0]
    file += attribute("channels", "chlist", list + [0])
    file += attribute("compression", "compression", [compression])
    file += attribute("dataWindow", "box2i", window) + attribute("displayWindow", "box2i", window)
    file +=
      attribute("lineOrder", "lineOrder", [0])
      + attribute("pixelAspectRatio", "float", little(Float(1).bitPattern))
    file += attribute("screenWindowCenter", "v2f", little(0) + little(0))
    file += attribute("screenWindowWidth", "float", little(Float(1).bitPattern)) + [0]
    var place = file.count + 8 * height
    for line in lines {
      file += little(UInt32(place)) + little(0)
      place += 8 + line.count
    }
    for (row, line) in lines.enumerated() { file += little(UInt32(row)) + little(UInt32(line.count)) + line }
    return file
  }

  /// Of floats.
  public static func floats(_ name: String, _ width: Int, _ height: Int, _ values: [Float]) -> [UInt8] {
    file(width, height, [(name, .float, values.map(\.bitPattern))])
  }

  private static func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
    text(name) + text(type) + little(UInt32(value.count)) + value
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  private static func little(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> ($0 * 8) & 255) } }
}
