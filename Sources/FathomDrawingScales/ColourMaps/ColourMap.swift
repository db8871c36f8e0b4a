public import DepthCore

/// A way from numbers 0…1 to colours, by a published table of 256 entries.
public struct ColourMap: Sendable, Hashable, Identifiable {
  /// Stable name: "viridis".
  public let id: String
  /// sRGB, from 0 to 1.
  public let table: [RGB]

  init(id: String, table: [UInt32]) {
    precondition(table.count == 256, "a colour map has 256 entries")
    self.id = id
    self.table = table.map { word in
      RGB(
        red: UInt8(word >> 16 & 255), green: UInt8(word >> 8 & 255), blue: UInt8(word & 255))
    }
  }

  /// The colour of `share`, clamped to 0…1: entry ⌊256·share⌋, as Matplotlib looks it up; NaN has none.
  public func colour(at share: Double) -> RGB? {
    guard !share.isNaN else { return nil }
    return table[Int(min(max(share, 0) * 256, 255))]
  }

  /// Every map.
  public static let all: [ColourMap] = [.viridis, .turbo, .vik]
}
