/// A small seeded generator (Steele, Lea, Flood 2014): the same stream on every platform.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64
  /// The stream of `seed`.
  @inlinable public init(seed: UInt64) { state = seed }

  /// The stream of a name: independent of the order in which streams are used.
  public init(seed: UInt64, stream parts: String...) {
    // FNV-1a over the UTF-8 of the parts, each closed by a byte that UTF-8 never holds.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
    for part in parts {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ 0xff) &* 0x100_0000_01b3
    }
    var mixer = SplitMix64(seed: hash)
    state = mixer.next()
  }

  @inlinable public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
