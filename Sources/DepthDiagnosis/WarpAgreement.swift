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

  /// Positions of at most so many frames, evenly over the sequence.
  static func spread(_ frames: [DepthFrame], limit: Int) -> [Int] {
    let usable = frames.indices.filter {
      frames[$0].worldFromCamera != nil && frames[$0].intrinsics != nil
    }
    guard usable.count > limit else { return usable }
    return (0..<limit).map { usable[$0 * (usable.count - 1) / (limit - 1)] }
  }

  /// Columns and rows of the parts of an image.
  private static let (columns, rows) = (4, 3)
  static let parts = columns * rows

  /// Per frame and part of its image, the mean cost of the others carried into it.
  static func costs(_ views: [PosedDepth?]) -> [Double] {
    views.indices.flatMap { i -> [Double] in
      var sums = [Double](repeating: 0, count: parts), pairs = [Int](repeating: 0, count: parts)
      for j in views.indices where i != j {
        guard let source = views[j], let target = views[i] else { continue }
        for (part, cost) in partCosts(from: source, to: target).enumerated() where cost.isFinite {
          sums[part] += cost
          pairs[part] += 1
        }
      }
      return (0..<parts).map { pairs[$0] > 0 ? sums[$0] / Double(pairs[$0]) : .nan }
    }
  }

  private static func partCosts(
    from source: PosedDepth, to target: PosedDepth
  ) -> [Double] {
    let size = target.depth.size
    var sums = [Double](repeating: 0, count: parts), counts = [Int](repeating: 0, count: parts)
    for (index, z) in source.warped(into: target).enumerated() {
      let d = target.depth.values[index]
      guard d.isFinite else { continue }
      let part =
        columns * (rows * (index / size.width) / size.height) + columns * (index % size.width) / size.width
      sums[part] += z.isFinite ? min(abs(z / Double(d) - 1), limit) : ignorance
      counts[part] += 1
    }
    return (0..<parts).map { counts[$0] > 0 ? sums[$0] / Double(counts[$0]) : .nan }
  }
}
