/// Small EXR files without compression, with any channels.
public enum MadeEXR {
  public enum Kind: UInt8, Sendable { case whole = 0, half = 1, float = 2 }

  /// A channel: its name, its kind, and for each pixel the bits of its number.
  public typealias Channel = (name: String, kind: Kind, bits: [UInt32])

  public static func file(_ width: Int, _ height: Int, _ channels: [Channel]) -> [UInt8] {
    let channels = channels.sorted { $0.name < $1.name }
    var list: [UInt8] = []
    for channel in channels {
      list +=
        text(channel.name) + little(UInt32(channel.kind.rawValue)) + [0, 0, 0, 0] + little(1) + little(1)
    }
    let window = little(0) + little(0) + little(UInt32(width - 1)) + little(UInt32(height - 1))
    var file: [UInt8] = [0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0]
    file += attribute("channels", "chlist", list + [0]) + attribute("compression", "compression", [0])
    file += attribute("dataWindow", "box2i", window) + attribute("displayWindow", "box2i", window)
    file +=
      attribute("lineOrder", "lineOrder", [0])
      + attribute("pixelAspectRatio", "float", little(Float(1).bitPattern))
    file += attribute("screenWindowCenter", "v2f", little(0) + little(0))
    file += attribute("screenWindowWidth", "float", little(Float(1).bitPattern)) + [0]
    let line = channels.reduce(0) { $0 + width * ($1.kind == .half ? 2 : 4) }
    let start = file.count + 8 * height
    for row in 0..<height { file += little(UInt32(start + row * (8 + line))) + little(0) }
    for row in 0..<height {
      file += little(UInt32(row)) + little(UInt32(line))
      for channel in channels {
        for column in 0..<width {
          file += little(channel.bits[row * width + column]).prefix(channel.kind == .half ? 2 : 4)
        }
      }
    }
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
