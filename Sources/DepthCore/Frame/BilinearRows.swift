internal import CFathomKernels

/// A map read at every pixel of another one, row by row.
///
/// A row of the map is stretched to the other's width once and kept until no row lies next to it any more: of the values that
/// bilinear sampling needs, most belong to several rows.
public struct BilinearRows: Sendable {
  private let columns: AxisTable, rows: AxisTable, map: DepthMap
  /// The map's rows at the other's width that were used last.
  private var stretched: (upper: [Double], lower: [Double])
  private var held = (upper: -1, lower: -1)  // Which rows of the map those are.

  /// - Precondition: `map` has the sampler's target resolution.
  public init(_ sampler: BilinearSampler, of map: DepthMap) {
    (columns, rows, self.map) = (sampler.columns, sampler.rows, map)
    let row = [Double](repeating: 0, count: sampler.columns.lower.count)
    stretched = (row, row)
  }

  /// Puts a row's values to `target`, which has the room; not finite where a neighbour that has weight is not.
  public mutating func read(_ row: Int, to target: UnsafeMutablePointer<Double>) {
    read(row) { bilinear_blend($0, $1, $2, $3, target) }
  }

  /// The same, rounded to single precision.
  public mutating func read(_ row: Int, to target: UnsafeMutablePointer<Float>) {
    read(row) { bilinear_blend_single($0, $1, $2, $3, target) }
  }

  /// - Parameter blend: Takes the rows above and below at the other's width, the lower one's weight and that width.
  private mutating func read(
    _ row: Int, _ blend: (UnsafePointer<Double>, UnsafePointer<Double>, Double, Int) -> Void
  ) {
    let (top, bottom) = (Int(rows.lower[row]), Int(rows.upper[row]))
    if held.lower == top {
      swap(&stretched.upper, &stretched.lower)
      swap(&held.upper, &held.lower)
    }
    if held.upper != top {
      Self.stretch(top, of: map, columns, to: &stretched.upper)
      held.upper = top
    }
    if bottom != top, held.lower != bottom {
      Self.stretch(bottom, of: map, columns, to: &stretched.lower)
      held.lower = bottom
    }
    let weight = rows.weight[row]
    stretched.upper.withUnsafeBufferPointer { upper in
      stretched.lower.withUnsafeBufferPointer { lower in
        guard let first = upper.baseAddress, let second = bottom == top ? first : lower.baseAddress else {
          return
        }
        blend(first, second, weight, upper.count)
      }
    }
  }

  private static func stretch(_ row: Int, of map: DepthMap, _ columns: AxisTable, to target: inout [Double]) {
    map.values.withUnsafeBufferPointer { values in
      guard let values = values.baseAddress else { return }
      bilinear_stretch(
        values + row * map.width, columns.lower, columns.upper, columns.weight, columns.lower.count, &target)
    }
  }
}
