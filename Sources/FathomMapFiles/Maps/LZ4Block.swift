/// A block of LZ4 without a frame around it (lz4/lz4, doc/lz4_Block_format.md).
enum LZ4Block {
  /// The bytes of a block; nil where it does not give exactly `count`.
  static func decoded(_ block: [UInt8], count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var place = 0
    /// A length whose first 15 are in the token; nil where the block ends in it.
    func length(_ inToken: UInt8) -> Int? {
      var length = Int(inToken)
      guard inToken == 15 else { return length }
      while place < block.count {
        let more = block[place]
        place += 1
        length += Int(more)
        if more < 255 { return length }
      }
      return nil
    }
    while place < block.count {
      let token = block[place]
      place += 1
      guard let literals = length(token >> 4), literals <= block.count - place,
        literals <= count - bytes.count
      else { return nil }
      bytes += block[place..<place + literals]
      place += literals
      // The last sequence has no match.
      if place == block.count { return bytes.count == count ? bytes : nil }
      guard block.count - place >= 2 else { return nil }
      let distance = Int(block[place]) | Int(block[place + 1]) << 8
      place += 2
      guard let more = length(token & 15), (1...65_535).contains(distance), distance <= bytes.count,
        more + 4 <= count - bytes.count
      else { return nil }
      // What is copied may be what this match has just written.
      for _ in 0..<more + 4 { bytes.append(bytes[bytes.count - distance]) }
    }
    return nil
  }
}
