/// A block of LZFSE proper: literals, and triples (literals, length, distance), each of four tables of an entropy coder.
struct EntropyBlock {
  static let packedHeader = 32, unpackedHeader = 772
  private static let counts = [20, 20, 64, 256]
  private static let lengths = FiniteStateTable.Symbol.row([Int](repeating: 0, count: 16) + [2, 3, 5, 8])
  private static let matches = FiniteStateTable.Symbol.row([Int](repeating: 0, count: 16) + [3, 5, 8, 11])
  private static let distances = FiniteStateTable.Symbol.row((0..<64).map { $0 / 4 })
  private static let bytes = FiniteStateTable.Symbol.row([Int](repeating: 0, count: 256))
  private static let mostLiterals = 40_000, mostMatches = 10_000
  private let literalCount: Int, matchCount: Int, literalBytes: Range<Int>, tripleBytes: Range<Int>
  private let literalBits: Int, tripleBits: Int
  private var literalStates: [Int], states: (length: Int, match: Int, distance: Int)
  /// Of lengths, matches, distances and literals, one after the other.
  private let frequencies: [Int]

  /// - Throws: `LZFSE.Fault` where its header is damaged.
  init(_ stream: [UInt8], _ block: Block) throws(LZFSE.Fault) {
    let literalSize: Int
    if block.kind == .packed {
      let fields = (0..<3).map { LittleEndian.long(stream, block.start + 8 + 8 * $0) }
      func bits(_ field: Int, _ offset: UInt64, _ count: UInt64) -> Int {
        Int(fields[field] >> offset & (1 << count - 1))
      }
      (literalCount, literalSize, matchCount) = (bits(0, 0, 20), bits(0, 20, 20), bits(0, 40, 20))
      (literalBits, tripleBits) = (bits(0, 60, 3) - 7, bits(1, 60, 3) - 7)
      literalStates = [0, 10, 20, 30].map { bits(1, $0, 10) }
      states = (bits(2, 32, 10), bits(2, 42, 10), bits(2, 52, 10))
      frequencies = try Self.frequencies(stream[block.start + Self.packedHeader..<block.payload])
    } else {
      func word(_ offset: Int) -> Int { Int(LittleEndian.word(stream, block.start + offset)) }
      func signed(_ offset: Int) -> Int {
        Int(Int32(bitPattern: LittleEndian.word(stream, block.start + offset)))
      }
      func half(_ offset: Int) -> Int { LittleEndian.half(stream, block.start + offset) }
      (literalCount, matchCount, literalSize) = (word(12), word(16), word(20))
      (literalBits, tripleBits) = (signed(28), signed(40))
      literalStates = (0..<4).map { half(32 + 2 * $0) }
      states = (half(44), half(46), half(48))
      frequencies = (0..<Self.counts.reduce(0, +)).map { half(50 + 2 * $0) }
    }
    guard literalCount <= Self.mostLiterals, literalCount % 4 == 0, matchCount <= Self.mostMatches,
      literalSize <= block.end - block.payload
    else { throw .damaged }
    literalBytes = block.payload..<block.payload + literalSize
    tripleBytes = block.payload + literalSize..<block.end
  }

  /// - Throws: `LZFSE.Fault` where it is damaged.
  func decode(_ stream: [UInt8], into output: inout DecodedBytes) throws(LZFSE.Fault) {
    let starts = Self.counts.indices.map { Self.counts[..<$0].reduce(0, +) }
    func part(_ index: Int) -> ArraySlice<Int> {
      frequencies[starts[index]..<starts[index] + Self.counts[index]]
    }
    let literals = try literals(stream, part(3))
    guard matchCount > 0 else { return }
    let lengths = try FiniteStateTable(states: 64, part(0), Self.lengths)
    let matches = try FiniteStateTable(states: 64, part(1), Self.matches)
    let distances = try FiniteStateTable(states: 256, part(2), Self.distances)
    var (used, distance, states) = (0, 0, states)
    var bits = try BackwardBits(stream, tripleBytes, unused: tripleBits)
    for _ in 0..<matchCount {
      let length = try lengths.next(&states.length, &bits)
      let match = try matches.next(&states.match, &bits)
      let new = try distances.next(&states.distance, &bits)
      if new != 0 { distance = new }
      guard length <= literals.count - used else { throw .damaged }
      try output.append(literals, from: used, count: length)
      used += length
      try output.repeatBytes(distance: distance, count: match)
    }
  }

  private func literals(_ stream: [UInt8], _ frequencies: ArraySlice<Int>) throws(LZFSE.Fault) -> [UInt8] {
    guard literalCount > 0 else { return [] }
    let table = try FiniteStateTable(states: 1024, frequencies, Self.bytes)
    var bits = try BackwardBits(stream, literalBytes, unused: literalBits)
    var states = literalStates, literals: [UInt8] = []
    literals.reserveCapacity(literalCount)
    for index in 0..<literalCount {
      literals.append(UInt8(truncatingIfNeeded: try table.next(&states[index & 3], &bits)))
    }
    return literals
  }

  /// Numbers of 2, 3, 5, 8 or 14 bits, from the lowest bit on.
  private static func frequencies(_ packed: ArraySlice<UInt8>) throws(LZFSE.Fault) -> [Int] {
    let total = counts.reduce(0, +)
    guard !packed.isEmpty else { return [Int](repeating: 0, count: total) }
    var (kept, keptCount, place) = (0, 0, packed.startIndex)
    var frequencies: [Int] = []
    frequencies.reserveCapacity(total)
    for _ in 0..<total {
      while place < packed.endIndex, keptCount <= 24 {
        kept |= Int(packed[place]) << keptCount
        keptCount += 8
        place += 1
      }
      let (value, bits): (Int, Int) =
        switch kept & 15 {
        case 0, 4, 8, 12: (0, 2)
        case 2, 6, 10, 14: (1, 2)
        case 1, 9: (2, 3)
        case 5, 13: (3, 3)
        case 3, 11: (4 + kept >> 3 & 3, 5)
        case 7: (8 + kept >> 4 & 15, 8)
        default: (24 + kept >> 4 & 1023, 14)
        }
      guard bits <= keptCount else { throw .damaged }
      kept >>= bits
      keptCount -= bits
      frequencies.append(value)
    }
    guard keptCount < 8, place == packed.endIndex else { throw .damaged }
    return frequencies
  }
}
