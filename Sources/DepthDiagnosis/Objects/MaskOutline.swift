import DepthCore
import DepthObjects

/// The outline of an object's mask on the LiDAR's raster, as stored or with its rows turned over.
///
/// An object ends where depth has a step, but for where it stands on something. Laid on the wrong rows, an outline
/// crosses floors and walls, where there is none.
struct MaskOutline {
  /// A relative step of depth that counts in full: less is noise, or a floor seen at a low angle.
  static let fullStep = 0.1
  /// Pairs with two returns that an outline needs.
  static let fewestPairs = 12
  private let size: RasterSize
  /// Pixels on either side of the outline, one row or column farther from it than those that touch it, because LiDAR
  /// depth is smeared over about three pixels.
  private var pairs: [(inner: Int, outer: Int)] = []

  /// - Returns: nil without a mask.
  init?(
    of object: DetectedObject, _ conventions: DetectionConventions, on size: RasterSize, imageSize: RasterSize
  ) {
    guard let mask = object.mask, mask.size.count > 0 else { return nil }
    self.size = size
    let sampler = MaskSampler(
      mask, imageSize: imageSize, stride: conventions.maskStride, flipsRows: false)
    let threshold = ObjectOptions().maskThreshold
    let isInside = sampler.upsampled(to: size).values.map { $0 > threshold }
    isInside.withUnsafeBufferPointer { isInside in
      // No outline lies between two rows without a pixel of the mask.
      let isEmpty = (0..<size.height).map { row in
        !isInside[row * size.width..<(row + 1) * size.width].contains(true)
      }
      for row in 0..<size.height where !(isEmpty[row] && isEmpty[min(row + 1, size.height - 1)]) {
        for column in 0..<size.width {
          let index = row * size.width + column
          if column > 0, column + 2 < size.width { add(isInside, index, index + 1) }
          if row > 0, row + 2 < size.height { add(isInside, index, index + size.width) }
        }
      }
    }
  }

  @inline(__always) private mutating func add(_ isInside: UnsafeBufferPointer<Bool>, _ a: Int, _ b: Int) {
    guard isInside[a] != isInside[b] else { return }
    let step = b - a
    pairs.append(isInside[a] ? (a - step, b + step) : (b + step, a - step))
  }

  /// How much of the outline lies on edges of depth: mean of min(|Δ ln d| / ``fullStep``, 1), 0…1.
  /// - Parameter turned: Whether the mask's rows are turned over.
  /// - Returns: nil where too few pairs have two returns.
  func shareOnEdges(_ depth: LogDepth, turned: Bool) -> Double? {
    func place(_ index: Int) -> Int {
      turned ? (size.height - 1 - index / size.width) * size.width + index % size.width : index
    }
    var (sum, count) = (0.0, 0)
    for pair in pairs {
      let step = abs(depth.values[place(pair.inner)] - depth.values[place(pair.outer)])
      guard step.isFinite else { continue }
      sum += min(step / Self.fullStep, 1)
      count += 1
    }
    return count >= Self.fewestPairs ? sum / Double(count) : nil
  }
}
