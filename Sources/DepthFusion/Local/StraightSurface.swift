import DepthCore

/// Whether returns lie, within their noise, on the straight continuation of the two pixels beside them: on one side at least along
/// the row and along the column, linear in disparity as planes are. Flying pixels and dust do not; a clean depth step does.
struct StraightSurface {
  private let width: Int, height: Int
  /// 1/d, 1/m; NaN without a return.
  private let disparity: [Float]
  private let deviation: [Float]

  /// Of a second difference, in σ_LiDAR: three standard deviations of independent noise, 3√6.
  private static let limit: Float = 7.35

  /// - Parameters:
  ///   - lidar: NaN without a return.
  ///   - deviation: Of each return's relative error.
  init(_ lidar: DepthMap, _ deviation: [Float]) {
    (width, height) = (lidar.width, lidar.height)
    disparity = lidar.values.map { 1 / $0 }
    self.deviation = deviation
  }

  func continues(at i: Int) -> Bool {
    let (row, column) = (i / width, i % width)
    let limit = Self.limit * deviation[i] * disparity[i]
    func isStraight(_ step: Int) -> Bool {
      abs(disparity[i] - 2 * disparity[i + step] + disparity[i + 2 * step]) <= limit
    }
    return (column >= 2 && isStraight(-1) || column + 2 < width && isStraight(1))
      && (row >= 2 && isStraight(-width) || row + 2 < height && isStraight(width))
  }
}
