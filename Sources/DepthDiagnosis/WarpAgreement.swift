import DepthCore

/// How well frames agree once they were carried into each other by their poses.
///
/// Cost of a pair: mean over the target's pixels of min(|z_warped − d|/d, limit), where nothing lands the cost of
/// ignorance: less than that of a contradiction, more than that of agreement. So the right motion both agrees and
/// overlaps most, and frames that show different places speak against motions that make them overlap
/// (``PosedDepth/warped(into:)``).
enum WarpAgreement {
  static let limit = 0.05, ignorance = 0.04
  static let costUnit = "mean of min(|z−d|/d, 0.05), 0.04 where nothing lands, frames carried into each other"

  /// At most so many frames, evenly over the sequence.
  static func spread(_ frames: [DepthFrame], limit: Int) -> [DepthFrame] {
    let usable = frames.filter { $0.worldFromCamera != nil && $0.intrinsics != nil }
    guard usable.count > limit else { return usable }
    return (0..<limit).map { usable[$0 * (usable.count - 1) / (limit - 1)] }
  }

  /// Per frame and quarter of its image, the mean cost of the others carried into it.
  static func costs(_ views: [PosedDepth?]) -> [Double] {
    views.indices.flatMap { i -> [Double] in
      var sums = [Double](repeating: 0, count: 4), pairs = [Int](repeating: 0, count: 4)
      for j in views.indices where i != j {
        guard let source = views[j], let target = views[i] else { continue }
        for (quarter, cost) in quarters(from: source, to: target).enumerated() where cost.isFinite {
          sums[quarter] += cost
          pairs[quarter] += 1
        }
      }
      return (0..<4).map { pairs[$0] > 0 ? sums[$0] / Double(pairs[$0]) : .nan }
    }
  }

  private static func quarters(
    from source: PosedDepth, to target: PosedDepth
  ) -> [Double] {
    let size = target.depth.size
    var sums = [Double](repeating: 0, count: 4), counts = [Int](repeating: 0, count: 4)
    for (index, z) in source.warped(into: target).enumerated() {
      let d = target.depth.values[index]
      guard d.isFinite else { continue }
      let quarter = 2 * (2 * (index / size.width) / size.height) + 2 * (index % size.width) / size.width
      sums[quarter] += z.isFinite ? min(abs(z / Double(d) - 1), limit) : ignorance
      counts[quarter] += 1
    }
    return (0..<4).map { counts[$0] > 0 ? sums[$0] / Double(counts[$0]) : .nan }
  }
}
