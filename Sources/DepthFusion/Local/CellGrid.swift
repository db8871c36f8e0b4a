import CFathomKernels
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
  /// Of the pixels' columns and rows, in cells about the middle of all.
  private let centreX: [Double], centreY: [Double]
  private let kernelX: [Double], kernelY: [Double]

  /// - Parameter deviation: Of the Gaussian, pixels of the raster.
  /// - Parameter share: Width of a cell as a share of that; at two thirds splatting and slicing widen it by 5 %.
  init(over raster: RasterSize, deviation: Double, cell share: Double = 0.5) {
    let cell = max(1, deviation * share)
    let columns = max(1, Int((Double(raster.width) / cell).rounded(.up)))
    let rows = max(1, Int((Double(raster.height) / cell).rounded(.up)))
    size = RasterSize(width: columns, height: rows)
    columnOfPixel = (0..<raster.width).map { Int32((2 * $0 + 1) * columns / (2 * raster.width)) }
    rowOfPixel = (0..<raster.height).map { Int32((2 * $0 + 1) * rows / (2 * raster.height)) }
    centreX = Self.positions(raster.width, columns)
    centreY = Self.positions(raster.height, rows)
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
  func cell(row: Int, column: Int) -> Int { Int(rowOfPixel[row]) * size.width + Int(columnOfPixel[column]) }
  /// Empty sums.
  var zeros: [Double] { [Double](repeating: 0, count: size.count) }

  /// The sums after the Gaussian; nothing comes from beyond the edges.
  func blurred(_ sums: [Double]) -> [Double] {
    [Double](unsafeUninitializedCapacity: size.count) { result, count in
      guard let result = result.baseAddress else { return }
      blur(sums, to: result)
      count = size.count
    }
  }

  private func blur(_ sums: UnsafePointer<Double>, to result: UnsafeMutablePointer<Double>) {
    let room = cells_blur_room(size.width, size.height, kernelX.count)
    withUnsafeTemporaryAllocation(of: Double.self, capacity: room) { room in
      cells_blur(
        sums, size.width, size.height, kernelX, kernelX.count, kernelY, kernelY.count,
        room.baseAddress, result)
    }
  }

  /// Local linear regression on position: the value at every cell's centre of a plane fitted to values at pixels of the raster,
  /// which weigh by the Gaussian, too.
  /// - Parameter pixels: Of the raster.
  /// - Parameter weights: Values whose weight is not positive are excluded.
  /// - Parameter prior: Weight of one more value at each centre.
  /// - Parameter ridge: On the planes' slopes, as a share of the weight.
  /// - Parameter fallback: That value, by cell; nil for 0.
  func planes(
    _ values: [Double], weights: [Double], at pixels: [Int32], prior: Double, ridge: Double,
    fallback: [Double]?
  ) -> [Double] {
    let cells = size.count
    // Eight sums of each cell before and after the blur and between its passes, and a ninth of each before and after.
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: 26 * cells) { room in
      [Double](unsafeUninitializedCapacity: cells) { result, count in
        guard let sums = room.baseAddress, let result = result.baseAddress else { return }
        let last = sums + 8 * cells
        sums.initialize(repeating: 0, count: 9 * cells)
        cells_moments(
          pixels, weights, values, pixels.count, Int32(columnOfPixel.count), centreX, columnOfPixel, centreY,
          rowOfPixel, size.width, sums, last)
        let (moments, lasts, between) = (sums + 9 * cells, sums + 17 * cells, sums + 18 * cells)
        cells_blur_moments(
          sums, size.width, size.height, kernelX, kernelX.count, kernelY, kernelY.count, between, moments)
        blur(last, to: lasts)
        cells_plane(moments, lasts, size.width, size.height, prior, ridge, fallback, result)
        count = cells
      }
    }
  }

  /// Of the middles of pixels, in cells about the middle of all.
  private static func positions(_ pixels: Int, _ cells: Int) -> [Double] {
    let unit = Double(cells) / Double(pixels)
    return (0..<pixels).map { (Double($0) + 0.5) * unit - 0.5 * Double(cells) }
  }

  /// Cell values as a map, to be sampled at any raster that covers the same field of view.
  func map(_ values: [Double]) -> DepthMap {
    DepthMap(width: size.width, height: size.height, values: values.map(Float.init))
  }
}
