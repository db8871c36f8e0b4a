/// Bilinear sampling of one map at every pixel of another.
public struct BilinearSampler: Sendable {
  @usableFromInline let columns: AxisTable
  @usableFromInline let rows: AxisTable

  /// - Parameter source: Resolution of the map whose pixels are the sampling points.
  /// - Parameter target: Resolution of the map that is sampled.
  /// - Parameter offset: By how much every sampling point lies beside its pixel's place, pixels of the source.
  /// - Parameter extendsEdges: Whether points that the offset moves out of the view take the edge's value; else none.
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
  /// - Parameter indices: Row-major.
  /// - Precondition: `map` has the target's resolution; the indices are within the source's.
  @inlinable public func forEachSample(of map: DepthMap, at indices: [Int32], _ body: (Int, Double) -> Void) {
    let (width, sourceWidth) = (map.width, Int32(columns.lower.count))
    map.values.withUnsafeBufferPointer { values in
      // Neighbouring indices are mostly of one row.
      var (row, start) = (0, Int32(0))
      for position in indices.indices {
        let index = indices[position]
        if index < start || index &- start >= sourceWidth {
          row = Int(index / sourceWidth)
          start = Int32(row) &* sourceWidth
        }
        let column = Int(index &- start)
        let place = Place(
          top: Int(rows.lower[row]) * width, bottom: Int(rows.upper[row]) * width,
          left: Int(columns.lower[column]), right: Int(columns.upper[column]),
          wx: columns.weight[column], wy: rows.weight[row])
        body(position, place.value(values))
      }
    }
  }

  /// Calls `body` with every source pixel's index in row-major order and the interpolated value there.
  ///
  /// The value is not finite where a neighbour that has weight is not, or where the point lies outside.
  /// - Precondition: `map` has the target's resolution.
  @inlinable public func forEachSample(of map: DepthMap, _ body: (Int, Double) -> Void) {
    let width = columns.lower.count
    var read = BilinearRows(self, of: map)
    withUnsafeTemporaryAllocation(of: Double.self, capacity: width) { line in
      guard let values = line.baseAddress else { return }
      for row in 0..<rows.lower.count {
        read.read(row, to: values)
        for column in 0..<width { body(row * width + column, values[column]) }
      }
    }
  }

  /// Where a sampling point lies between four pixels of the map.
  @usableFromInline struct Place {
    @usableFromInline let topLeft: Int, topRight: Int, bottomLeft: Int, bottomRight: Int
    @usableFromInline let wx: Double, wy: Double

    @inlinable @inline(__always) init(top: Int, bottom: Int, left: Int, right: Int, wx: Double, wy: Double) {
      (topLeft, topRight, bottomLeft, bottomRight) = (top + left, top + right, bottom + left, bottom + right)
      (self.wx, self.wy) = (wx, wy)
    }

    @inlinable @inline(__always) func value(_ values: UnsafeBufferPointer<Float>) -> Double {
      let upperEdge = Double(values[topLeft]) * (1 - wx) + Double(values[topRight]) * wx
      let lowerEdge = Double(values[bottomLeft]) * (1 - wx) + Double(values[bottomRight]) * wx
      return upperEdge * (1 - wy) + lowerEdge * wy
    }
  }
}
