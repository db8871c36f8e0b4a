/// Apple's LZFSE, in which phone apps store depth: reading only. A stream is a row of blocks: stored, LZVN, or LZFSE proper.
/// - SeeAlso: github.com/lzfse/lzfse, the reference, which this agrees with on golden streams.
public enum LZFSE {
  /// Why bytes are not such a stream: one line without a final full stop.
  public struct Fault: Error, Sendable, Hashable {
    public let reason: String
    public init(_ reason: String) { self.reason = reason }
    static let cut = Fault("the LZFSE stream is cut short")
    static let damaged = Fault("the LZFSE stream is damaged")
  }

  /// Whether a stream begins here.
  public static func begins(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 4 else { return false }
    return Block.Kind(rawValue: LittleEndian.word(bytes, 0)) != nil
  }

  /// What the blocks declare to hold, without decoding them.
  /// - Throws: `Fault` where the stream is cut short, or is none.
  public static func declaredCount(_ stream: [UInt8]) throws(Fault) -> Int {
    var (place, total) = (0, 0)
    while let block = try Block(stream, at: place) {
      total += block.rawCount
      place = block.end
    }
    return total
  }

  /// The bytes of a stream.
  /// - Parameter limit: Most bytes that it may hold; memory is asked for what it declares only after that was compared.
  /// - Throws: `Fault` where it is damaged, cut short, or holds more.
  public static func decoded(_ stream: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
    let count = try declaredCount(stream)
    guard count <= limit
    else { throw Fault("the LZFSE stream declares \(count) bytes, and at most \(limit) are read") }
    var output = DecodedBytes(capacity: count), place = 0
    while let block = try Block(stream, at: place) {
      let before = output.count
      output.limit = before + block.rawCount
      switch block.kind {
      case .stored: try output.append(stream, from: block.payload, count: block.rawCount)
      case .lzvn: try LZVN.decode(stream[block.payload..<block.end], into: &output)
      case .packed, .unpacked: try EntropyBlock(stream, block).decode(stream, into: &output)
      case .end: break
      }
      guard output.count - before == block.rawCount else { throw .damaged }
      place = block.end
    }
    return output.bytes
  }
}

/// Where a block begins and ends.
struct Block {
  enum Kind: UInt32 {
    /// "bvx-"
    case stored = 0x2D78_7662
    /// "bvx1", "bvx2": LZFSE, with tables as they are or packed.
    case unpacked = 0x3178_7662, packed = 0x3278_7662
    /// "bvxn"
    case lzvn = 0x6E78_7662
    /// "bvx$"
    case end = 0x2478_7662
  }

  let kind: Kind, start: Int
  /// Where the bytes behind the header begin, and where those behind the block do.
  let payload: Int, end: Int
  /// Bytes that it holds when it is decoded.
  let rawCount: Int

  /// - Returns: nil at the end of the stream.
  init?(_ stream: [UInt8], at start: Int) throws(LZFSE.Fault) {
    func word(_ offset: Int) -> Int { Int(LittleEndian.word(stream, start + offset)) }
    let left = stream.count - start
    guard left >= 4 else { throw .cut }
    guard let kind = Kind(rawValue: LittleEndian.word(stream, start)) else { throw .damaged }
    (self.start, self.kind) = (start, kind)
    switch kind {
    case .end: return nil
    case .stored:
      guard left >= 8 else { throw .cut }
      rawCount = word(4)
      (payload, end) = (start + 8, start + 8 + rawCount)
    case .lzvn:
      guard left >= 12 else { throw .cut }
      rawCount = word(4)
      (payload, end) = (start + 12, start + 12 + word(8))
    case .unpacked:
      guard left >= EntropyBlock.unpackedHeader else { throw .cut }
      rawCount = word(4)
      payload = start + EntropyBlock.unpackedHeader
      end = payload + word(20) + word(24)
    case .packed:
      guard left >= EntropyBlock.packedHeader else { throw .cut }
      rawCount = word(4)
      let (first, second) = (LittleEndian.long(stream, start + 8), LittleEndian.long(stream, start + 16))
      let size = word(24)
      guard size >= EntropyBlock.packedHeader else { throw .damaged }
      payload = start + size
      end = payload + Int(first >> 20 & 0xF_FFFF) + Int(second >> 40 & 0xF_FFFF)
    }
    guard end <= stream.count else { throw .cut }
  }
}

/// Numbers in a stream, whose lowest byte comes first.
enum LittleEndian {
  static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
  }
  static func long(_ bytes: [UInt8], _ place: Int) -> UInt64 {
    UInt64(word(bytes, place)) | UInt64(word(bytes, place + 4)) << 32
  }
  static func half(_ bytes: [UInt8], _ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
}
