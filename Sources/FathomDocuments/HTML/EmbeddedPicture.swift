import Foundation

/// A picture as a part of the page: a data URI and its size, so that the page does not move while pictures decode.
struct EmbeddedPicture: Sendable, Equatable {
  let source: Markup  // "data:image/png;base64,…"
  let width: Int, height: Int  // Pixels.

  /// Reads the format and the size from the first bytes; a file's name decides nothing.
  /// - Throws: `PageError` if the bytes are not a PNG, GIF or JPEG.
  init(_ bytes: [UInt8], file: String) throws(PageError) {
    let type: String
    let size: (width: Int, height: Int)?
    switch bytes.prefix(4) {
    case [0x89, 0x50, 0x4E, 0x47]: (type, size) = ("png", Self.sizeOfPNG(bytes))
    case [0x47, 0x49, 0x46, 0x38]: (type, size) = ("gif", Self.sizeOfGIF(bytes))
    case let start where start.prefix(3) == [0xFF, 0xD8, 0xFF]:
      (type, size) = ("jpeg", Self.sizeOfJPEG(bytes))
    default: throw PageError(file, "it is not a PNG, GIF or JPEG file")
    }
    guard let size, size.width > 0, size.height > 0 else { throw PageError(file, "it is cut short") }
    (width, height) = size
    source = Markup(trusted: "data:image/\(type);base64,\(Data(bytes).base64EncodedString())")
  }

  /// Of an `img` element: where it is from, and how large.
  var attributes: Markup { #"src="\#(source)" width="\#(width)" height="\#(height)""# }

  /// PNG, third edition, 11.2.1: IHDR is the first chunk; big-endian.
  private static func sizeOfPNG(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= 24 else { return nil }
    return (bigEndian(bytes[16..<20]), bigEndian(bytes[20..<24]))
  }

  /// GIF89a, 18: the logical screen; little-endian.
  private static func sizeOfGIF(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= 10 else { return nil }
    return (bigEndian([bytes[7], bytes[6]]), bigEndian([bytes[9], bytes[8]]))
  }

  /// JPEG (ITU-T T.81, B.2.2): segments up to the frame header, SOF0 to SOF15 without DHT, JPG and DAC.
  private static func sizeOfJPEG(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    var position = 2
    while position + 9 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      if marker == 0xFF {  // a fill byte
        position += 1
      } else if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        let rows = bigEndian(bytes[(position + 5)..<(position + 7)])
        return (bigEndian(bytes[(position + 7)..<(position + 9)]), rows)
      } else {
        position += 2 + bigEndian(bytes[(position + 2)..<(position + 4)])
      }
    }
    return nil
  }

  private static func bigEndian(_ bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
