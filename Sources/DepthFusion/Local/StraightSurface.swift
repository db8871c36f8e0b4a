import CFathomKernels
import DepthCore

/// Whether returns lie, within their noise, on the straight continuation of the two pixels beside them: on one side at least along
/// the row and along the column, linear in disparity as planes are. Flying pixels and dust do not; a clean depth step does.
struct StraightSurface {
  /// 1 where a pixel does, else 0.
  let flags: [UInt8]
  /// Of a second difference, in σ_LiDAR: three standard deviations of independent noise, 3√6.
  static let limit: Float = 7.35

  /// - Parameter lidar: NaN without a return.
  /// - Parameter deviation: Of each return's relative error.
  init(_ lidar: DepthMap, _ deviation: [Float]) {
    let disparity = lidar.values.map { 1 / $0 }
    let limits = zip(deviation, disparity).map { Self.limit * $0 * $1 }
    flags = [UInt8](unsafeUninitializedCapacity: limits.count) { flags, count in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: lidar.width) {
        blend_straight(disparity, limits, lidar.width, lidar.height, $0.baseAddress, flags.baseAddress)
      }
      count = limits.count
    }
  }

  func continues(at i: Int) -> Bool { flags[i] != 0 }
}
