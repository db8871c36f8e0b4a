import Foundation

/// Sums over square cells of a raster, smoothed by a Gaussian: local averages at a cost that does not depend
/// on the window.
///
/// Source: the splat–blur–slice scheme of Paris & Durand 2009, without a range axis. Cells are half the Gaussian's
/// standard deviation wide, so that splatting and slicing widen it by 3 %.
struct CellGrid {
  /// Columns × rows of cells.
  let size: RasterSize
  /// Pixels of the raster per cell.
  let pixelsPerCell: Double
  private let columnOfPixel: [Int32], rowOfPixel: [Int32]
  private let kernelX: [Double], kernelY: [Double]

  /// - Parameter deviation: Of the Gaussian, pixels of the raster.
  init(over raster: RasterSize, deviation: Double) {
    let cell = max(1, deviation / 2)
    let columns = max(1, Int((Double(raster.width) / cell).rounded(.up)))
    let rows = max(1, Int((Double(raster.height) / cell).rounded(.up)))
    size = RasterSize(width: columns, height: rows)
    columnOfPixel = (0..<raster.width).map { Int32((2 * $0 + 1) * columns / (2 * raster.width)) }
    rowOfPixel = (0..<raster.height).map { Int32((2 * $0 + 1) * rows / (2 * raster.height)) }
    pixelsPerCell = Double(raster.count) / Double(columns * rows)
    kernelX = Self.kernel(deviation * Double(columns) / Double(raster.width))
    kernelY = Self.kernel(deviation * Double(rows) / Double(raster.height))
  }

  /// Half of a Gaussian from its centre outwards, cut at 3σ, summing to 1 with its mirror image.
  private static func kernel(_ deviation: Double) -> [Double] {
    let taps = (0...Int((3 * deviation).rounded(.up))).map {
      Foundation.exp(-0.5 * Double($0 * $0) / (deviation * deviation))
    }
    let sum = 2 * taps.reduce(0, +) - taps[0]
    return taps.map { $0 / sum }
  }

  /// The cell that holds a pixel of the raster.
  @inline(__always)
  func cell(row: Int, column: Int) -> Int {
    Int(rowOfPixel[row]) * size.width + Int(columnOfPixel[column])
  }

  /// Empty sums.
  var zeros: [Double] { [Double](repeating: 0, count: size.count) }

  /// The sums after the Gaussian; nothing comes from beyond the edges.
  func blurred(_ sums: [Double]) -> [Double] {
    let (width, height) = (size.width, size.height)
    var across = zeros
    for row in 0..<height {
      let start = row * width
      for column in 0..<width {
        var sum = kernelX[0] * sums[start + column]
        for tap in 1..<kernelX.count {
          if column >= tap { sum += kernelX[tap] * sums[start + column - tap] }
          if column + tap < width { sum += kernelX[tap] * sums[start + column + tap] }
        }
        across[start + column] = sum
      }
    }
    var result = zeros
    for row in 0..<height {
      for tap in 0..<kernelY.count {
        for source in tap == 0 ? [row] : [row - tap, row + tap] where source >= 0 && source < height {
          for column in 0..<width {
            result[row * width + column] += kernelY[tap] * across[source * width + column]
          }
        }
      }
    }
    return result
  }

  /// Cell values as a map, to be sampled at any raster that covers the same field of view.
  func map(_ values: [Double]) -> DepthMap {
    DepthMap(width: size.width, height: size.height, values: values.map(Float.init))
  }
}
