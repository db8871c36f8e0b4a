import DepthEvaluation
import DepthFusion

/// How well frames agree once they were carried into each other by their poses.
///
/// Cost of a pair: mean over the target's pixels of min(|z_warped − d|/d, limit), with the limit where nothing lands:
/// the right motion both agrees and overlaps most (``TemporalConsistency/warp(_:into:)``).
enum WarpAgreement {
  static let limit = 0.2
  /// Frames that are compared with each other.
  static let frameLimit = 8

  /// One row per frame: per hypothesis, the mean cost of the frame's pairs.
  ///
  /// - Parameter read: A frame as one hypothesis reads it; nil where it makes no sense.
  static func costs(
    _ frames: [DepthFrame], hypotheses: Int, read: (DepthFrame, Int) -> TemporalConsistency.View?
  ) -> [[Double]] {
    let chosen = spread(frames.filter { $0.worldFromCamera != nil && $0.intrinsics != nil })
    guard chosen.count >= 2 else { return [] }
    let perHypothesis = (0..<hypotheses).map { h -> [Double] in
      let views = chosen.map { read($0, h) }
      return views.indices.map { i in
        let costs = views.indices.compactMap { j -> Double? in
          guard i != j, let source = views[j], let target = views[i] else { return nil }
          return cost(from: source, to: target)
        }
        return costs.isEmpty ? .nan : costs.reduce(0, +) / Double(costs.count)
      }
    }
    return chosen.indices.map { i in perHypothesis.map { $0[i] } }
  }

  /// At most ``frameLimit`` frames, evenly over the sequence.
  private static func spread(_ frames: [DepthFrame]) -> [DepthFrame] {
    guard frames.count > frameLimit else { return frames }
    return (0..<frameLimit).map { frames[$0 * (frames.count - 1) / (frameLimit - 1)] }
  }

  private static func cost(from source: TemporalConsistency.View, to target: TemporalConsistency.View)
    -> Double
  {
    var (sum, count) = (0.0, 0)
    for (z, d) in zip(TemporalConsistency.warp(source, into: target), target.depth.values) where d.isFinite {
      sum += z.isFinite ? min(abs(z / Double(d) - 1), limit) : limit
      count += 1
    }
    return count > 0 ? sum / Double(count) : .nan
  }
}

extension TemporalConsistency.View {
  /// The frame's trusted returns on a coarse raster, by a camera.
  init(
    coarse frame: DepthFrame, _ intrinsics: CameraIntrinsics, _ pose: RigidTransform,
    _ convention: CameraConvention
  ) {
    let grid = DepthGrid(frame)
    let depth = DepthMap(
      width: grid.size.width, height: grid.size.height, values: grid.disparity.map { Float(1 / $0) })
    self.init(depth: depth, intrinsics: intrinsics, worldFromCamera: pose, convention: convention)
  }
}
