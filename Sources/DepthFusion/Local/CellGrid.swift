import DepthCore
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
    let across = Self.accumulated(sums) { source, out in
      for row in 0..<height {
        for (tap, factor) in kernelX.enumerated() where tap < width {
          let (start, count) = (row * width, width - tap)
          Self.add(source + start, to: out + start + tap, factor, count)
          if tap > 0 { Self.add(source + start + tap, to: out + start, factor, count) }
        }
      }
    }
    return Self.accumulated(across) { source, out in
      for (tap, factor) in kernelY.enumerated() where tap < height {
        let (shift, count) = (tap * width, (height - tap) * width)
        Self.add(source, to: out + shift, factor, count)
        if tap > 0 { Self.add(source + shift, to: out, factor, count) }
      }
    }
  }

  /// As many sums as there are values, filled by `body` without bounds checks: this is where the local models' time goes.
  private static func accumulated(
    _ values: [Double], _ body: (UnsafePointer<Double>, UnsafeMutablePointer<Double>) -> Void
  ) -> [Double] {
    var result = [Double](repeating: 0, count: values.count)
    values.withUnsafeBufferPointer { source in
      result.withUnsafeMutableBufferPointer { out in
        guard let source = source.baseAddress, let out = out.baseAddress else { return }
        body(source, out)
      }
    }
    return result
  }

  /// out += factor·source.
  @inline(__always)
  private static func add(
    _ source: UnsafePointer<Double>, to out: UnsafeMutablePointer<Double>, _ factor: Double, _ count: Int
  ) {
    for i in 0..<count { out[i] += factor * source[i] }
  }

  /// Cell values as a map, to be sampled at any raster that covers the same field of view.
  func map(_ values: [Double]) -> DepthMap {
    DepthMap(width: size.width, height: size.height, values: values.map(Float.init))
  }
}
