import DepthEvaluation
public import FathomStatistics

/// What a threshold on σ or the confidence keeps of scenes on which it was not chosen.
public struct RetainedPixels: Sendable {
  /// Shares of the pixels that thresholds are chosen to keep.
  public static let wanted = [1, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5]
  public let wanted: Double
  /// The largest σ or the smallest confidence that is kept, chosen on all scenes; nil where everything is kept.
  public let threshold: Double?
  /// Of each scene's pixels under the threshold that the other scenes choose; of a single scene under its own. The mean |d−g| of these, metres.
  public let share: Double, error: Double
  /// 95 % over scenes; nil for fewer than four.
  public let shareInterval: ConfidenceInterval?, errorInterval: ConfidenceInterval?

  /// - Parameter scenes: Their curves, and how much each counts.
  /// - Returns: From all pixels on; each threshold once.
  static func rows(
    _ scenes: [(name: String, curve: RetentionCurve, weight: Double)], isOfConfidence: Bool,
    _ bootstrap: inout SceneBootstrap
  ) -> [RetainedPixels] {
    let limits = RetentionCurve.limits(of: scenes.map(\.curve)).limits
    let kept = scenes.map { scene in limits.map(scene.curve.kept) }
    let weights = scenes.map(\.weight), total = weights.reduce(0, +)
    let sums = limits.indices.map { limit in zip(kept, weights).reduce(0) { $0 + $1.0[limit].share * $1.1 } }
    var (rows, last) = ([RetainedPixels](), -1)
    for wanted in Self.wanted {
      /// The first limit that keeps enough of the scenes but for one; sums are only known up to rounding.
      func chosen(without scene: Int?) -> Int {
        limits.indices.first { limit in
          let own = scene.map { (kept[$0][limit].share * weights[$0], weights[$0]) } ?? (0, 0)
          return sums[limit] - own.0 >= (wanted - 1e-9) * (total - own.1)
        } ?? limits.count - 1
      }
      let isAll = wanted == 1, limit = isAll ? limits.count - 1 : chosen(without: nil)
      guard limit >= 0, limit != last else { continue }
      last = limit
      let found = scenes.indices.map { scene in
        kept[scene][isAll ? limit : chosen(without: scenes.count > 1 ? scene : nil)]
      }
      func values(_ side: [WeightedSum], _ most: Double) -> SceneValues {
        SceneValues(
          scenes: scenes.map(\.name), frames: 0, sides: [side], isRoot: false, possible: 0...most)
      }
      let share = values(zip(found, weights).map { WeightedSum(sum: $0.share * $1, weight: $1) }, 1)
      let error = values(
        zip(found, weights).map { WeightedSum(sum: $0.error * $1, weight: $0.share * $1) }, .infinity)
      guard let shareValue = share.value(0), let errorValue = error.value(0) else { continue }
      rows.append(
        RetainedPixels(
          wanted: wanted, threshold: isAll ? nil : isOfConfidence ? -limits[limit] : limits[limit],
          share: shareValue, error: errorValue, shareInterval: bootstrap.interval(of: share),
          errorInterval: bootstrap.interval(of: error)))
    }
    return rows
  }
}

extension [RetainedPixels] {
  /// The row that is farthest above the straight line from the first to the last, as shares of their differences in pixels and error, or
  /// the only threshold; nil where none is above the line, or the last has no smaller error.
  ///
  /// Source: Satopää et al. 2011, "Finding a 'Kneedle' in a Haystack".
  public var knee: RetainedPixels? {
    guard let first, let last, first.error > last.error, first.share > last.share else { return nil }
    if count == 2 { return last }
    func height(_ row: RetainedPixels) -> Double {
      (first.error - row.error) / (first.error - last.error)
        - (first.share - row.share) / (first.share - last.share)
    }
    let best = self.max { height($0) < height($1) }
    return best.flatMap { height($0) > 0 ? $0 : nil }
  }
}
