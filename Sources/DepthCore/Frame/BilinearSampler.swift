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
        // Division of 32 bits takes half as long.
        let pixel = indices[position].quotientAndRemainder(dividingBy: Int32(sourceWidth))
        let (row, column) = (Int(pixel.quotient), Int(pixel.remainder))
        let place = Place(
          top: Int(rows.lower[row]) * width, bottom: Int(rows.upper[row]) * width,
          left: Int(columns.lower[column]), right: Int(columns.upper[column]),
          wx: columns.weight[column], wy: rows.weight[row])
        body(position, place.value(values))
      }
    }
  }

  /// Calls `body` with every source pixel's index in row-major order and the interpolated value of two maps there.
  ///
  /// - Precondition: both maps have the target's resolution.
  @inlinable
  public func forEachSample(of map: DepthMap, and other: DepthMap, _ body: (Int, Double, Double) -> Void) {
    other.values.withUnsafeBufferPointer { others in
      forEachPlace(of: map) { index, values, place in body(index, place.value(values), place.value(others)) }
    }
  }

  /// Calls `body` with every source pixel's index in row-major order and the interpolated value there.
  ///
  /// The value is not finite where a neighbour that has weight is not, or where the point lies outside.
  ///
  /// - Precondition: `map` has the target's resolution.
  @inlinable
  public func forEachSample(of map: DepthMap, _ body: (Int, Double) -> Void) {
    forEachPlace(of: map) { index, values, place in body(index, place.value(values)) }
  }

  /// Where a sampling point lies between four pixels of the map.
  @usableFromInline
  struct Place {
    @usableFromInline let topLeft: Int, topRight: Int, bottomLeft: Int, bottomRight: Int
    @usableFromInline let wx: Double, wy: Double

    @inlinable @inline(__always)
    init(top: Int, bottom: Int, left: Int, right: Int, wx: Double, wy: Double) {
      (topLeft, topRight, bottomLeft, bottomRight) = (top + left, top + right, bottom + left, bottom + right)
      (self.wx, self.wy) = (wx, wy)
    }

    @inlinable @inline(__always)
    func value(_ values: UnsafeBufferPointer<Float>) -> Double {
      let upperEdge = Double(values[topLeft]) * (1 - wx) + Double(values[topRight]) * wx
      let lowerEdge = Double(values[bottomLeft]) * (1 - wx) + Double(values[bottomRight]) * wx
      return upperEdge * (1 - wy) + lowerEdge * wy
    }
  }

  @inlinable @inline(__always)
  func forEachPlace(of map: DepthMap, _ body: (Int, UnsafeBufferPointer<Float>, Place) -> Void) {
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
                body(
                  index, values,
                  Place(top: top, bottom: bottom, left: l, right: r, wx: wx, wy: wy))
                index += 1
              }
            }
          }
        }
      }
    }
  }
}
