public import DepthCore
internal import Foundation

extension Raster where Element == Float {
  /// Depth blurred by a Gaussian that skips missing depth: Σ w·d / Σ w over what is known.
  ///
  /// The kernel ends at 4σ, like scipy's `gaussian_filter`, and is not extended beyond the edges. A missing value in reach
  /// of known ones is filled; one that is not is NaN. Sums are Double.
  /// - Parameter sigma: Pixels of this map; 0 leaves it as it is.
  /// - Precondition: `sigma` is finite and not negative.
  public func depthBlurred(sigma: Double) -> Raster<Float> {
    precondition(sigma >= 0 && sigma.isFinite, "a blur has a width")
    let radius = Int(saturating: 4 * sigma + 0.5)
    let kernel = (-radius...radius).map { offset in
      sigma > 0 ? exp(-0.5 * Double(offset * offset) / (sigma * sigma)) : 1
    }
    let known = knownDepths.values
    var sums = Raster<Double>(width: width, height: height, values: known.map { $0.isNaN ? 0 : Double($0) })
    var weights = Raster<Double>(width: width, height: height, values: known.map { $0.isNaN ? 0 : 1 })
    for _ in 0..<2 {
      // Along the rows, then, turned over the diagonal, along the columns.
      sums = sums.transposedConvolution(kernel, radius: radius)
      weights = weights.transposedConvolution(kernel, radius: radius)
    }
    return Raster(
      width: width, height: height,
      values: zip(sums.values, weights.values).map { $1 > 0 ? Float($0 / $1) : .nan })
  }
}

extension Raster where Element == Double {
  /// Rows convolved with a kernel, zero beyond the edges, then exchanged with columns.
  fileprivate func transposedConvolution(_ kernel: [Double], radius: Int) -> Raster<Double> {
    var result = Raster(width: height, height: width, filledWith: 0.0)
    var padded = [Double](repeating: 0, count: width + 2 * radius)
    for row in 0..<height {
      for column in 0..<width { padded[radius + column] = values[row * width + column] }
      for column in 0..<width {
        var sum = 0.0
        for tap in kernel.indices { sum += kernel[tap] * padded[column + tap] }
        result.values[column * height + row] = sum
      }
    }
    return result
  }
}
