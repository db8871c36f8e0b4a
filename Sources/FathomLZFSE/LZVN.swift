/// A block of LZVN: bytes that say how many literals follow and which earlier bytes are repeated.
enum LZVN {
  /// - Throws: `LZFSE.Fault` where it is damaged.
  static func decode(_ block: ArraySlice<UInt8>, into output: inout DecodedBytes) throws(LZFSE.Fault) {
    let source = Array(block)
    var (place, distance) = (0, 0)
    func byte(_ index: Int) throws(LZFSE.Fault) -> Int {
      guard index < source.count else { throw .damaged }
      return Int(source[index])
    }
    while true {
      let code = try byte(place)
      var (literals, length, size) = (code >> 6, (code >> 3 & 7) + 3, 1)
      switch code {
      case 0x06: return  // the end, and seven bytes of nothing
      case 0x0E, 0x16:
        place += 1
        continue
      case 0x1E, 0x26, 0x2E, 0x36, 0x3E, 0x70...0x7F, 0xD0...0xDF: throw .damaged
      case 0xE0: (literals, length, size) = (try byte(place + 1) + 16, 0, 2)
      case 0xE1...0xEF: (literals, length) = (code & 15, 0)
      case 0xF0: (literals, length, size) = (0, try byte(place + 1) + 16, 2)
      case 0xF1...0xFF: (literals, length) = (0, code & 15)
      case 0xA0...0xBF:
        let more = try byte(place + 1) | byte(place + 2) << 8
        (literals, length, size) = (code >> 3 & 3, (code & 7) << 2 + (more & 3) + 3, 3)
        distance = more >> 2
      case _ where code & 7 == 7:
        distance = try byte(place + 1) | byte(place + 2) << 8
        size = 3
      case _ where code & 7 == 6: break  // the distance before
      default:
        distance = try (code & 7) << 8 | byte(place + 1)
        size = 2
      }
      place += size
      try output.append(source, from: place, count: literals)
      place += literals
      try output.repeatBytes(distance: distance, count: length)
    }
  }
}
