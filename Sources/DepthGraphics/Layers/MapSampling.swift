internal import DepthCore

/// Reads a map row by row at a picture's pixels, as a shader's sampler does: linear, clamped to the edge.
///
/// Pixel centre to pixel centre, (x + ½)·w/W − ½; first between two rows, then between two columns, in Float32. A
/// neighbour without weight is not looked at; a missing one with weight makes the sample NaN.
struct BilinearRows {
  private let map: Raster<Float>, columns: [(lower: Int32, upper: Int32, weight: Float)]
  private let rows: AxisTable

  /// - Parameter map: What is missing is NaN.
  init(_ map: Raster<Float>, size: RasterSize) {
    let across = AxisTable(source: size.width, target: map.width, mapping: .centres)
    columns = across.lower.indices.map { (across.lower[$0], across.upper[$0], Float(across.weight[$0])) }
    rows = AxisTable(source: size.height, target: map.height, mapping: .centres)
    self.map = map
  }

  @inline(__always) func read(_ row: Int, into samples: UnsafeMutableBufferPointer<Float>) {
    let (top, bottom) = (Int(rows.lower[row]) * map.width, Int(rows.upper[row]) * map.width)
    let weight = Float(rows.weight[row])
    withUnsafeTemporaryAllocation(of: Float.self, capacity: map.width) { line in
      map.values.withUnsafeBufferPointer { values in
        if top == bottom {
          for column in 0..<map.width { line[column] = values[top + column] }
        } else {
          for column in 0..<map.width {
            line[column] = values[top + column] * (1 - weight) + values[bottom + column] * weight
          }
        }
      }
      columns.withUnsafeBufferPointer { columns in
        for column in 0..<columns.count {
          let place = columns[column]
          // A sample on a pixel's centre is that pixel's: 0 times its missing neighbour would be NaN.
          samples[column] =
            line[Int(place.lower)] * (1 - place.weight) + line[Int(place.upper)] * place.weight
        }
      }
    }
  }
}

/// Reads a map row by row at a picture's pixels, each as the map's pixel that it lies in: ⌊(2x + 1)·w/2W⌋.
struct NearestRows {
  private let map: Raster<Float>, columns: [Int], height: Int

  init(_ map: Raster<Float>, size: RasterSize) {
    columns = (0..<size.width).map { (2 * $0 + 1) * map.width / (2 * size.width) }
    (self.map, height) = (map, size.height)
  }

  @inline(__always) func read(_ row: Int, into samples: UnsafeMutableBufferPointer<Float>) {
    let start = (2 * row + 1) * map.height / (2 * height) * map.width
    for column in columns.indices { samples[column] = map.values[start + columns[column]] }
  }
}

extension Raster where Element == Float {
  /// Depths with NaN for what is missing: not finite or not positive.
  var knownDepths: Raster<Float> {
    Raster(width: width, height: height, values: values.map { $0 > 0 && $0.isFinite ? $0 : .nan })
  }
}
