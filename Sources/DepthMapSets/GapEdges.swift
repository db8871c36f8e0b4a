internal import DepthCore

/// How depth goes on beside pixels that have none.
///
/// A sensor's or a renderer's depth there is that of the object beside the gap. Where a map was resized or smoothed as if 0 were a
/// depth, the first pixels lie between 0 and it. On real maps of seven sensors at most 0.7 % of the edges fall so; where OpenCV
/// enlarged or blurred two of them by linear weights, 75 % to 98 %, and where it halved them, 50 %.
struct GapEdges: Sendable {
  /// Edges at which depth falls towards the gap, at which it rises, and all.
  private(set) var falling = 0, rising = 0, count = 0
  /// Pixels behind the first one that it is compared with, and the factor below all of them at which it falls.
  private static let (behind, factor) = (3, Float(0.8))
  /// Fewer edges, or a smaller share, say nothing.
  private static let (fewest, leastShare, times) = (200, 0.2, 3)
  /// Rows and columns that are looked at.
  private static let mostLines = 240

  init(_ map: DepthMap) {
    let (width, height) = (map.width, map.height)
    map.values.withUnsafeBufferPointer { values in
      for row in stride(from: 0, to: height, by: max(1, height / Self.mostLines)) {
        look(along: values, from: row * width, by: 1, count: width)
        look(along: values, from: row * width + width - 1, by: -1, count: width)
      }
      for column in stride(from: 0, to: width, by: max(1, width / Self.mostLines)) {
        look(along: values, from: column, by: width, count: height)
        look(along: values, from: column + (height - 1) * width, by: -width, count: height)
      }
    }
  }

  private mutating func look(
    along values: UnsafeBufferPointer<Float>, from start: Int, by step: Int, count length: Int
  ) {
    func depth(_ place: Int) -> Float {
      let value = values[start + place * step]
      return value.isFinite && value > 0 ? value : 0
    }
    var before: Float = 1
    for place in 0..<length {
      let first = depth(place)
      defer { before = first }
      guard first > 0, before == 0 else { continue }
      let next = (place + 1..<min(length, place + 1 + Self.behind)).lazy.map(depth).prefix { $0 > 0 }
      guard let least = next.min(), let most = next.max() else { continue }
      count += 1
      if first < Self.factor * least { falling += 1 }
      if first * Self.factor > most { rising += 1 }
    }
  }

  /// The share of the edges of all maps that fall; nil where so few do that objects explain it.
  static func blended(_ edges: [GapEdges]) -> Double? {
    let count = edges.map(\.count).reduce(0, +), falling = edges.map(\.falling).reduce(0, +)
    let share = Double(falling) / Double(max(1, count))
    return count >= fewest && share >= leastShare && falling >= times * edges.map(\.rising).reduce(0, +)
      ? share : nil
  }
}
