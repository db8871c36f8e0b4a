internal import DepthCore
private import Foundation

/// A way in which a network's map may belong to the truth.
enum MapPlacement: Sendable, Hashable {
  /// To the truth of its frame, lying like this; upright is as it stands.
  case turned(Symmetry)
  /// To the truth of a frame so many later.
  case later(Int)

  /// By how many frames maps may be off.
  static let shifts = [-1, 1, -2, 2]

  /// In which way maps belong to the truth, where that is not as they stand.
  struct Rival {
    let reading: MapPlacement
    /// Maps that it fits better, of how many.
    let better: Int, count: Int
    /// Medians of the rank correlation, in the sense that the maps' kind has.
    let correlation: Double, own: Double
  }

  /// - Parameter maps: Correlations with depth of maps of one network.
  /// - Parameter isFalling: Whether the maps' numbers fall with depth.
  /// - Returns: nil where no other reading fits clearly better in nearly all of them.
  static func rival(of maps: [[MapPlacement: Double]], isFalling: Bool) -> Rival? {
    let readings = Symmetry.allCases.dropFirst().map { MapPlacement.turned($0) } + shifts.map { .later($0) }
    let sign = isFalling ? -1.0 : 1
    let rivals = readings.compactMap { reading -> (rival: Rival, cost: Double)? in
      let pairs = maps.compactMap { map -> SIMD2<Double>? in
        guard let own = map[.turned(.upright)], let other = map[reading] else { return nil }
        return SIMD2(own, other) * sign
      }
      let costs = pairs.map { SIMD2(cost($0.x), cost($0.y)) }
      let count = Double(costs.count), mean = costs.reduce(SIMD2(), +) / count
      let better = costs.count { $0.y < $0.x }
      // Few frames may be alike by chance.
      let (share, gain) = costs.count < 6 ? (1, 0.4) : (0.75, 0.15)
      guard costs.count >= 3, Double(better) >= share * count, mean.y <= cost(leastCorrelation),
        1 - mean.y / mean.x >= gain
      else { return nil }
      let squares = costs.reduce(0) { $0 + pow($1.x - $1.y - (mean.x - mean.y), 2) }
      // Maps of the other sense fit as they stand.
      guard mean.y < pairs.reduce(0, { $0 + cost(-$1.x) }) / count else { return nil }
      let error = (squares / (count * (count - 1))).squareRoot()
      guard mean.x - mean.y >= 3 * error, let own = OrderStatistics.median(of: pairs.map(\.x)),
        let other = OrderStatistics.median(of: pairs.map(\.y))
      else { return nil }
      return (
        Rival(reading: reading, better: better, count: costs.count, correlation: other, own: own), mean.y
      )
    }
    return rivals.min { $0.cost < $1.cost }?.rival
  }

  /// The same of some maps only, which lie turned against their truth, while the others lie as it does.
  /// - Returns: With the place of the first such map. nil for fewer than two of one kind.
  static func some(of maps: [[MapPlacement: Double]], isFalling: Bool) -> (rival: Rival, first: Int)? {
    let sign = isFalling ? -1.0 : 1
    let found = Symmetry.allCases.dropFirst().compactMap { orientation -> (rival: Rival, first: Int)? in
      let reading = MapPlacement.turned(orientation)
      let pairs = maps.enumerated().compactMap { place, map -> (place: Int, own: Double, other: Double)? in
        guard let own = map[.turned(.upright)], let other = map[reading] else { return nil }
        return (place, sign * own, sign * other)
      }
      // No map that is only bad fits so much better when it is turned.
      let turned = pairs.filter { $0.other >= clear && $0.own <= unclear }
      guard turned.count >= 2, let own = OrderStatistics.median(of: turned.map(\.own)),
        let other = OrderStatistics.median(of: turned.map(\.other))
      else { return nil }
      let rival = Rival(
        reading: reading, better: turned.count, count: pairs.count, correlation: other, own: own)
      return (rival, turned[0].place)
    }
    return found.max { ($0.rival.better, $0.rival.correlation) < ($1.rival.better, $1.rival.correlation) }
  }

  private static let (clear, unclear) = (0.9, 0.75)
  private static let leastCorrelation = 0.55
  /// Grows with 1 − ρ, so that good fits differ as much as bad ones do.
  private static func cost(_ correlation: Double) -> Double { log1p((1 - correlation) / 0.05) }
}
