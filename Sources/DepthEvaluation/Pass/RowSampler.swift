import CFathomKernels
import DepthCore
import DepthFusion

/// Reads a prediction at every pixel centre of a raster that covers the same field of view, row by row.
struct RowSampler {
  /// What is read.
  enum Source {
    case map(Prediction)
    case raster([Double])  // One value per pixel already.
  }

  private let source: Source, size: RasterSize
  /// nil but for a map that is interpolated between its pixels.
  private var rows: BilinearRows?

  init(_ source: Source, at size: RasterSize) {
    (self.source, self.size) = (source, size)
    guard case .map(let prediction) = source, prediction.sampling == .bilinear, prediction.depth.size != size
    else { return }
    rows = BilinearRows(BilinearSampler(source: size, target: prediction.depth.size), of: prediction.depth)
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
      case .bilinear where prediction.depth.size == size:
        prediction.depth.values.withUnsafeBufferPointer { values in
          if let first = values.baseAddress { bilinear_plain(first + row * size.width, size.width, target) }
        }
      case .bilinear: rows?.read(row, to: target)
      case .nearest: copyNearest(row, of: prediction.depth, to: target)
      }
    }
  }

  /// About what a pixel has; `place` counts them row by row.
  func nearest(_ place: Int) -> Double {
    switch source {
    case .raster(let values): values[place]
    case .map(let prediction):
      Double(prediction.depth.nearest(place / size.width, place % size.width, of: size))
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
