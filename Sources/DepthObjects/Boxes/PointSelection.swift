internal import DepthCore

/// Which of an object's LiDAR points a box method wants: the mask, and the depths within it (domain §5).
public struct PointSelection: Sendable, Hashable {
  /// How far the mask is eroded before points are taken from it.
  public enum Erosion: Sendable, Hashable {
    /// The mask as it is.
    case none
    /// k steps of a 3×3 cross, k = clamp(round(share · shorter side of the box in mask pixels), fewest, most).
    case crossSteps(share: Double, fewest: Int, most: Int)

    /// Number of steps for a box whose shorter side measures `side` mask pixels.
    public func steps(shorterSide side: Double) -> Int {
      switch self {
      case .none: 0
      case .crossSteps(let share, let fewest, let most):
        min(max(Int(saturating: (share * side).rounded()), fewest), most)
      }
    }
  }

  public var erosion: Erosion
  /// Shares of the sorted depths between which points are kept, 0…1.
  public var lowestDepthShare: Double, highestDepthShare: Double

  public init(erosion: Erosion = .none, lowestDepthShare: Double, highestDepthShare: Double) {
    self.erosion = erosion
    (self.lowestDepthShare, self.highestDepthShare) = (lowestDepthShare, highestDepthShare)
  }

  /// The specification's: the mask as it is, 10th to 90th percentile.
  public static let specified = PointSelection(.specified, BoxOptions())
  /// An eroded mask, 5th to 95th percentile.
  public static let eroded = PointSelection(.eroded, BoxOptions())
  /// The mask as it is, all depths.
  public static let everything = PointSelection(lowestDepthShare: 0, highestDepthShare: 1)

  /// The depths between which points are kept: z[⌊low·n⌋]…z[min(n−1, ⌊high·n⌋)] of the sorted depths.
  /// - Parameter depths: Metres, any order.
  /// - Returns: nil for no depths.
  public func depthRange(of depths: [Double]) -> ClosedRange<Double>? {
    depthRange(ofSorted: RadixOrder.sorted(depths))
  }

  /// The same of depths that are in rising order.
  func depthRange(ofSorted sorted: [Double]) -> ClosedRange<Double>? {
    guard let last = sorted.indices.last else { return nil }
    func rank(_ share: Double) -> Int { min(last, max(0, Int(saturating: share * Double(sorted.count)))) }
    return sorted[rank(lowestDepthShare)]...sorted[rank(highestDepthShare)]
  }
}
