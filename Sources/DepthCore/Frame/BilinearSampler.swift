/// Bilinear sampling of one map at every pixel of another.
public struct BilinearSampler: Sendable {
  @usableFromInline let columns: AxisTable
  @usableFromInline let rows: AxisTable

  /// - Parameters:
  ///   - source: Resolution of the map whose pixels are the sampling points.
  ///   - target: Resolution of the map that is sampled.
  ///   - offset: By how much every sampling point lies beside its pixel's place, pixels of the source.
  ///   - extendsEdges: Whether points that the offset moves out of the view take the edge's value; else none.
  public init(
    source: RasterSize, target: RasterSize, mapping: PositionMapping = .centres, offset: PixelOffset = .zero,
    extendsEdges: Bool = true
  ) {
    columns = AxisTable(
      source: source.width, target: target.width, mapping: mapping, offset: offset.x,
      extendsEdges: extendsEdges)
    rows = AxisTable(
      source: source.height, target: target.height, mapping: mapping, offset: offset.y,
      extendsEdges: extendsEdges)
  }

  /// Calls `body` with the position of each of some source pixels in `indices`, in their order, and the interpolated value there.
  ///
  /// - Parameter indices: Row-major.
  /// - Precondition: `map` has the target's resolution; the indices are within the source's.
  @inlinable
  public func forEachSample(of map: DepthMap, at indices: [Int32], _ body: (Int, Double) -> Void) {
    let (width, sourceWidth) = (map.width, columns.lower.count)
    map.values.withUnsafeBufferPointer { values in
      for position in indices.indices {
        let (row, column) = Int(indices[position]).quotientAndRemainder(dividingBy: sourceWidth)
        let (top, bottom) = (Int(rows.lower[row]) * width, Int(rows.upper[row]) * width)
        let (left, right) = (Int(columns.lower[column]), Int(columns.upper[column]))
        let (wx, wy) = (columns.weight[column], rows.weight[row])
        let upperEdge = Double(values[top + left]) * (1 - wx) + Double(values[top + right]) * wx
        let lowerEdge = Double(values[bottom + left]) * (1 - wx) + Double(values[bottom + right]) * wx
        body(position, upperEdge * (1 - wy) + lowerEdge * wy)
      }
    }
  }

  /// Calls `body` with every source pixel's index in row-major order and the interpolated value there.
  ///
  /// The value is not finite where a neighbour that has weight is not, or where the point lies outside.
  ///
  /// - Precondition: `map` has the target's resolution.
  @inlinable
  public func forEachSample(of map: DepthMap, _ body: (Int, Double) -> Void) {
    let width = map.width
    map.values.withUnsafeBufferPointer { values in
      columns.lower.withUnsafeBufferPointer { left in
        columns.upper.withUnsafeBufferPointer { right in
          columns.weight.withUnsafeBufferPointer { weights in
            var index = 0
            for row in 0..<rows.lower.count {
              let top = Int(rows.lower[row]) * width
              let bottom = Int(rows.upper[row]) * width
              let wy = rows.weight[row]
              for column in 0..<left.count {
                let (l, r, wx) = (Int(left[column]), Int(right[column]), weights[column])
                let upperEdge = Double(values[top + l]) * (1 - wx) + Double(values[top + r]) * wx
                let lowerEdge = Double(values[bottom + l]) * (1 - wx) + Double(values[bottom + r]) * wx
                body(index, upperEdge * (1 - wy) + lowerEdge * wy)
                index += 1
              }
            }
          }
        }
      }
    }
  }
}
