import CKernels
import DepthCore
import DepthFusion

/// Reads a prediction at every pixel centre of a raster that covers the same field of view, row by row.
///
/// A row of the map is stretched to the raster's width once and kept until no row lies next to it any more: of the values
/// that bilinear sampling needs, most belong to several rows.
struct RowSampler {
  /// What is read.
  enum Source {
    case map(Prediction)
    /// One value per pixel already.
    case raster([Double])
  }

  private let source: Source
  private let size: RasterSize
  private let columns: AxisTable
  private let rows: AxisTable
  /// The map's rows at the raster's width that were used last.
  private var stretched: (upper: [Double], lower: [Double])
  /// Which rows of the map those are.
  private var held = (upper: -1, lower: -1)

  init(_ source: Source, at size: RasterSize) {
    (self.source, self.size) = (source, size)
    let map: RasterSize
    if case .map(let prediction) = source { map = prediction.depth.size } else { map = size }
    columns = AxisTable(source: size.width, target: map.width, mapping: .centres)
    rows = AxisTable(source: size.height, target: map.height, mapping: .centres)
    let row = [Double](repeating: 0, count: size.width)
    stretched = (row, row)
  }

  /// Puts a row's values to `target`; not finite or ≤ 0 is missing.
  mutating func read(_ row: Int, to target: UnsafeMutablePointer<Double>) {
    switch source {
    case .raster(let values):
      values.withUnsafeBufferPointer { values in
        for column in 0..<size.width { target[column] = values[row * size.width + column] }
      }
    case .map(let prediction):
      switch prediction.sampling {
      case .bilinear: blend(row, of: prediction.depth, to: target)
      case .nearest: copyNearest(row, of: prediction.depth, to: target)
      }
    }
  }

  private mutating func blend(_ row: Int, of map: DepthMap, to target: UnsafeMutablePointer<Double>) {
    let (top, bottom) = (Int(rows.lower[row]), Int(rows.upper[row]))
    if held.lower == top {
      swap(&stretched.upper, &stretched.lower)
      swap(&held.upper, &held.lower)
    }
    if held.upper != top {
      stretch(top, of: map, to: &stretched.upper)
      held.upper = top
    }
    if bottom != top, held.lower != bottom {
      stretch(bottom, of: map, to: &stretched.lower)
      held.lower = bottom
    }
    let weight = rows.weight[row]
    stretched.upper.withUnsafeBufferPointer { upper in
      stretched.lower.withUnsafeBufferPointer { lower in
        guard let first = upper.baseAddress, let second = bottom == top ? first : lower.baseAddress else {
          return
        }
        error_terms_blend(first, second, weight, size.width, target)
      }
    }
  }

  private func stretch(_ row: Int, of map: DepthMap, to target: inout [Double]) {
    map.values.withUnsafeBufferPointer { values in
      columns.lower.withUnsafeBufferPointer { left in
        columns.upper.withUnsafeBufferPointer { right in
          columns.weight.withUnsafeBufferPointer { weights in
            target.withUnsafeMutableBufferPointer { target in
              let start = row * map.width
              for column in 0..<target.count {
                let weight = weights[column]
                target[column] =
                  Double(values[start + Int(left[column])]) * (1 - weight)
                  + Double(values[start + Int(right[column])]) * weight
              }
            }
          }
        }
      }
    }
  }

  private func copyNearest(_ row: Int, of map: DepthMap, to target: UnsafeMutablePointer<Double>) {
    let start = NearestPixel.index(row, of: size.height, in: map.height) * map.width
    map.values.withUnsafeBufferPointer { values in
      for column in 0..<size.width {
        target[column] = Double(values[start + NearestPixel.index(column, of: size.width, in: map.width)])
      }
    }
  }
}
