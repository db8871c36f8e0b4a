public import DepthCore

/// Tells maps that were seen before: a sensor with noise never gives one twice, so a copy adds no
/// measurement, and says nothing of how frames differ.
public struct DistinctMaps: Sendable {
  private var digests: Set<UInt64> = []
  public init() {}

  /// Whether no map before had the same number in every pixel.
  public mutating func insert(_ map: DepthMap) -> Bool {
    // FNV-1a over words, mixed once more so that high bits count.
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    for value in map.values {
      digest = (digest ^ UInt64(value.bitPattern)) &* 0x100_0000_01b3
      digest ^= digest >> 29
    }
    return digests.insert(digest).inserted
  }
}
