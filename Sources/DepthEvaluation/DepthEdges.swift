import CFathomKernels
import DepthCore

/// Pixels of a truth map near a depth step.
enum DepthEdges {
  /// 1 for every pixel that lies within a margin of a step between two neighbouring known depths, 0 for every other.
  /// - Parameter ratio: A step is a ratio of neighbours above this.
  /// - Parameter marginX: Largest distance along a row, pixels.
  /// - Parameter marginY: Largest distance along a column, pixels.
  static func mask(_ truth: DepthMap, ratio: Double, marginX: Double, marginY: Double) -> [UInt8] {
    var since = [UInt32](repeating: 0, count: truth.width)
    return [UInt8](unsafeUninitializedCapacity: truth.values.count) { mask, count in
      truth.values.withUnsafeBufferPointer { depths in
        depth_steps_mask(
          depths.baseAddress, truth.width, truth.height, ratio,
          Int(saturating: min(marginX, Double(truth.width))),
          Int(saturating: min(marginY, Double(truth.height))), mask.baseAddress, &since)
      }
      count = truth.values.count
    }
  }
}
