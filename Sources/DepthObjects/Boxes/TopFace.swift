/// The points of a level top, told from those of vertical faces by their number.
///
/// A vertical face that is seen from the side has as many points at every height; a top has all of its points
/// at one.
struct TopFace {
  /// Whether the highest layer holds more than its share.
  let isSeen: Bool
  /// Points below that layer, or all of them.
  let sides: [SIMD3<Double>]
  /// Thickness of the layer: share of the height, and at least this much, metres.
  private static let layerShare = 0.15, layerFloor = 0.02
  /// How many times its share the layer must hold.
  private static let excess = 2.0

  init(_ points: [SIMD3<Double>]) {
    let (low, high) = points.reduce((Double.infinity, -Double.infinity)) {
      (min($0.0, $1.y), max($0.1, $1.y))
    }
    let layer = max(Self.layerFloor, Self.layerShare * (high - low))
    let below = points.filter { $0.y < high - layer }
    let expected = high > low ? min(1, layer / (high - low)) : 1
    let share = 1 - Double(below.count) / Double(points.count)
    isSeen = share > min(1, Self.excess * expected)
    sides = isSeen ? below : points
  }
}
