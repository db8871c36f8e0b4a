internal import DepthCore
internal import Foundation

/// A Gaussian filter, columns then rows, that repeats the border.
struct SoftEdges: Sendable {
  private let weights: [Double]

  /// - Parameter deviation: Standard deviation, pixels; 0 leaves a map as it is.
  init(deviation: Double) {
    let reach = Int((2.5 * deviation).rounded(.up))
    let bell = (-reach...reach).map { offset in
      deviation > 0 ? exp(-0.5 * Double(offset * offset) / (deviation * deviation)) : 1
    }
    let total = bell.reduce(0, +)
    weights = bell.map { $0 / total }
  }

  /// The filtered map, row by row.
  func applied(to values: [Double], _ size: RasterSize) -> [Double] {
    let across = filtered(values, count: size.height, length: size.width, outer: size.width, inner: 1)
    return filtered(across, count: size.width, length: size.height, outer: 1, inner: size.width)
  }

  /// Filters `count` lines of `length` values that lie `inner` apart, the lines `outer` apart.
  private func filtered(_ values: [Double], count: Int, length: Int, outer: Int, inner: Int) -> [Double] {
    let reach = weights.count / 2
    var result = values
    for line in 0..<count {
      for position in 0..<length {
        var sum = 0.0
        for (tap, weight) in weights.enumerated() {
          let source = min(max(position + tap - reach, 0), length - 1)
          sum += weight * values[line * outer + source * inner]
        }
        result[line * outer + position * inner] = sum
      }
    }
    return result
  }
}
