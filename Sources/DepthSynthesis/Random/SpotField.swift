internal import DepthCore

/// Random values at the sparse spots that a LiDAR projects, interpolated to a dense map.
///
/// Spots stand on a jittered grid, one per `spacing` × `spacing` pixels. A pixel takes the weighted sum
/// of the nine spots around it, scaled so that its variance is 1 whatever the weights; values are thus
/// correlated over about `spacing` pixels, as in a map that was itself interpolated.
struct SpotField: Sendable {
  /// One spot: where it falls in the image and its standard normal value.
  struct Spot: Sendable {
    var u: Double, v: Double, value: Double
    /// Body that it lies on.
    var solid = RayCaster.shell
  }
  /// Pixels between spots: 32 × 24 of them over a map of 256×192.
  static let usualSpacing = 8.0
  private let spacing: Double
  /// How much a spot on another body counts.
  private static let acrossBodies = 0.15
  private(set) var spots: [Spot]
  private let columns: Int, rows: Int

  init(over size: RasterSize, spacing: Double = usualSpacing, using generator: inout SplitMix64) {
    self.spacing = spacing
    columns = Int((Double(size.width) / spacing).rounded(.up))
    rows = Int((Double(size.height) / spacing).rounded(.up))
    spots = []
    spots.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        let u = (Double(column) + generator.uniform(0.2, 0.8)) * spacing
        let v = (Double(row) + generator.uniform(0.2, 0.8)) * spacing
        spots.append(Spot(u: u, v: v, value: generator.normal()))
      }
    }
  }

  /// Notes on which body each spot lies.
  mutating func locate(_ solid: (_ u: Double, _ v: Double) -> Int) {
    for index in spots.indices { spots[index].solid = solid(spots[index].u, spots[index].v) }
  }

  /// Standard normal value at an image point that shows `solid`; spots on other bodies count little.
  /// Without a body every spot counts in full.
  func callAsFunction(_ u: Double, _ v: Double, on solid: Int? = nil) -> Double {
    let column = min(max(Int(u / spacing), 0), columns - 1)
    let row = min(max(Int(v / spacing), 0), rows - 1), reach = 1 / (1.5 * spacing * 1.5 * spacing)
    var sum = 0.0, squares = 1e-12
    for r in max(0, row - 1)...min(rows - 1, row + 1) {
      for c in max(0, column - 1)...min(columns - 1, column + 1) {
        let spot = spots[r * columns + c]
        let (du, dv) = (spot.u - u, spot.v - v)
        let near = max(0, 1 - (du * du + dv * dv) * reach)
        var weight = near * near
        if let solid, solid != spot.solid { weight *= Self.acrossBodies }
        sum += weight * spot.value
        squares += weight * weight
      }
    }
    return sum / squares.squareRoot()
  }
}
