internal import DepthCore

/// Where a map crosses a level, as line segments (marching squares; Lorensen & Cline 1987 in two dimensions).
struct IsoLines {
  /// Ends of each segment, continuous image coordinates of the map: pixel centres at i + ½.
  let segments: [(SIMD2<Double>, SIMD2<Double>)]

  /// No segment runs where one of the four neighbouring values is missing.
  init(of map: DepthMap, at level: Float) {
    var found: [(SIMD2<Double>, SIMD2<Double>)] = []
    for row in 0..<max(0, map.height - 1) {
      for column in 0..<max(0, map.width - 1) {
        // Clockwise from the top left.
        let corners = [
          map[row, column], map[row, column + 1], map[row + 1, column + 1], map[row + 1, column],
        ]
        let isAbove = corners.map { $0 > level }
        guard isAbove.contains(true), isAbove.contains(false), corners.allSatisfy(\.isFinite) else {
          continue
        }
        let places: [SIMD2<Double>] = [[0, 0], [1, 0], [1, 1], [0, 1]]
        var crossings: [SIMD2<Double>] = []
        for edge in 0..<4 {
          let next = (edge + 1) % 4
          guard isAbove[edge] != isAbove[next] else { continue }
          let share = Double((level - corners[edge]) / (corners[next] - corners[edge]))
          let along = places[edge] + (places[next] - places[edge]) * share
          crossings.append(along + [Double(column) + 0.5, Double(row) + 0.5])
        }
        // A saddle has four; joining them in order keeps segments from crossing each other.
        for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
          found.append((crossings[pair], crossings[pair + 1]))
        }
      }
    }
    segments = found
  }
}

extension Raster where Element == Float {
  /// Mean of the finite positive values of a square around each pixel; NaN where the pixel itself has none.
  func boxAveraged(radius: Int) -> DepthMap {
    var result = self
    for row in 0..<height {
      for column in 0..<width {
        var (sum, count) = (Float(0), Float(0))
        for y in max(0, row - radius)...min(height - 1, row + radius) {
          for x in max(0, column - radius)...min(width - 1, column + radius) {
            let value = self[y, x]
            if value > 0 && value.isFinite { (sum, count) = (sum + value, count + 1) }
          }
        }
        let own = self[row, column]
        result[row, column] = own > 0 && own.isFinite ? sum / count : .nan
      }
    }
    return result
  }
}
