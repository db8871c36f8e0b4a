import DepthCore

/// By how much a relative map lies beside the LiDAR's, from the depth edges that both show (``EdgeShifts``).
///
/// Per axis the mean of two medians: of edges where the nearer side comes first and of those where it comes last. A sensor
/// that makes objects larger or smaller moves the two kinds in opposite directions, and a network that softens, neither.
/// Edges are looked at along rows and along columns: where all of them lean to one side, either axis takes a part of the
/// other's shift; in rooms they lean to both.
struct EdgeTally: Sendable, Codable {
  /// Shifts of one kind of edge, counted in bins: medians without keeping every edge of a long scene.
  private struct Histogram: Sendable, Codable {
    static let (reach, width) = (4.0, 0.01)
    var counts = [Int](repeating: 0, count: Int(2 * reach / width)), total = 0

    mutating func add(_ shift: Double) {
      let bin = Int(saturating: ((shift + Self.reach) / Self.width).rounded(.down))
      counts[min(max(bin, 0), counts.count - 1)] += 1
      total += 1
    }

    /// Linear within the bin that holds it; nil for none.
    var median: Double? {
      guard total > 0 else { return nil }
      let half = Double(total) / 2
      var below = 0.0
      for (bin, count) in counts.enumerated() where count > 0 {
        if below + Double(count) >= half {
          return (Double(bin) + (half - below) / Double(count)) * Self.width - Self.reach
        }
        below += Double(count)
      }
      return nil
    }

    static func += (total: inout Histogram, part: Histogram) {
      for bin in total.counts.indices { total.counts[bin] += part.counts[bin] }
      total.total += part.total
    }
  }

  /// Edges along rows and columns, each with the nearer side first and last.
  private var across = [Histogram(), Histogram()], down = [Histogram(), Histogram()]
  /// Fewest edges of each kind.
  static let fewestEdges = 30
  init() {}

  /// One frame's; empty without a relative map.
  init(_ frame: DepthFrame, kind: RelativeKind) {
    guard let relative = frame.relative else { return }
    for edge in EdgeShifts(from: frame.lidar, to: relative, kind).edges {
      if edge.isAcross {
        across[edge.isNearer ? 1 : 0].add(edge.shift)
      } else {
        down[edge.isNearer ? 1 : 0].add(edge.shift)
      }
    }
  }

  /// LiDAR pixels: what a LiDAR pixel shows lies at its place plus this in the relative map; nil for too few edges.
  var x: Double? { Self.balanced(across) }
  var y: Double? { Self.balanced(down) }
  /// Edges along rows and columns.
  var edgesAcross: Int { across.reduce(0) { $0 + $1.total } }
  var edgesDown: Int { down.reduce(0) { $0 + $1.total } }

  private static func balanced(_ kinds: [Histogram]) -> Double? {
    guard kinds.allSatisfy({ $0.total >= fewestEdges }) else { return nil }
    let medians = kinds.compactMap(\.median)
    return medians.reduce(0, +) / Double(medians.count)
  }

  static func += (total: inout EdgeTally, part: EdgeTally) {
    for kind in 0..<2 {
      total.across[kind] += part.across[kind]
      total.down[kind] += part.down[kind]
    }
  }
}
