/// One table of the entropy coder: what a state stands for, and which state follows.
struct FiniteStateTable {
  struct Entry {
    /// Bits that are read; the low ones belong to the value.
    var bits: Int, valueBits: Int
    /// Added to the other bits: the next state.
    var delta: Int
    /// Smallest value.
    var base: Int
  }

  private let entries: [Entry]

  /// - Parameter frequencies: In how many of the states each symbol stands; together they are `states`, a power of two.
  /// - Parameter symbols: Smallest value of each symbol, and how many bits are added to it.
  /// - Throws: `LZFSE.Fault` where the frequencies do not add up.
  init(states: Int, _ frequencies: ArraySlice<Int>, _ symbols: [Symbol]) throws(LZFSE.Fault) {
    guard frequencies.allSatisfy({ $0 >= 0 && $0 <= states }), frequencies.reduce(0, +) == states
    else { throw .damaged }
    var entries: [Entry] = []
    entries.reserveCapacity(states)
    for (frequency, symbol) in zip(frequencies, symbols) where frequency > 0 {
      let bits = states.trailingZeroBitCount - (Int.bitWidth - 1 - frequency.leadingZeroBitCount)
      let longer = (2 * states) >> bits - frequency
      for index in 0..<frequency {
        entries.append(
          index < longer
            ? Entry(
              bits: bits + symbol.extraBits, valueBits: symbol.extraBits,
              delta: (frequency + index) << bits - states, base: symbol.base)
            : Entry(
              bits: bits - 1 + symbol.extraBits, valueBits: symbol.extraBits,
              delta: (index - longer) << (bits - 1), base: symbol.base))
      }
    }
    self.entries = entries
  }

  struct Symbol {
    var base: Int, extraBits: Int

    /// Symbols that follow each other without gaps.
    static func row(_ extraBits: [Int]) -> [Symbol] {
      var base = 0
      return extraBits.map { bits in
        defer { base += 1 << bits }
        return Symbol(base: base, extraBits: bits)
      }
    }
  }

  /// The value of a state, which moves on.
  func next(_ state: inout Int, _ bits: inout BackwardBits) throws(LZFSE.Fault) -> Int {
    guard state < entries.count else { throw .damaged }
    let entry = entries[state], pulled = try bits.pull(entry.bits)
    state = entry.delta + pulled >> entry.valueBits
    return entry.base + pulled & (1 << entry.valueBits - 1)
  }
}

/// Bits that are read from the end of a piece of the stream towards its beginning.
struct BackwardBits {
  private let bytes: [UInt8], start: Int
  private var place: Int
  private var kept: UInt64 = 0
  private var keptCount = 0

  /// - Parameter unused: Bits at the end that hold nothing, as the stream writes them: 0 to −7.
  init(_ bytes: [UInt8], _ range: Range<Int>, unused: Int) throws(LZFSE.Fault) {
    guard (-7...0).contains(unused) else { throw .damaged }
    (self.bytes, start, place) = (bytes, range.lowerBound, range.upperBound)
    guard unused < 0 else { return }
    guard place > start else { throw .damaged }
    place -= 1
    (kept, keptCount) = (UInt64(bytes[place]), 8 + unused)
    guard kept >> UInt64(keptCount) == 0 else { throw .damaged }
  }

  mutating func pull(_ count: Int) throws(LZFSE.Fault) -> Int {
    while keptCount < count {
      guard place > start else { throw .damaged }
      place -= 1
      kept = kept << 8 | UInt64(bytes[place])
      keptCount += 8
    }
    keptCount -= count
    let pulled = kept >> UInt64(keptCount)
    kept &= 1 << UInt64(keptCount) - 1
    return Int(pulled)
  }
}
