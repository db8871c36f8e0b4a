import DepthCore
import Foundation

/// Standard deviation of a map's relative error by distance, from its held-out residuals.
///
/// A residual holds the map's error and the LiDAR's: σ_map² = s² − σ_LiDAR² with s = 1.4826·median|e|, anchors weighing
/// 1/σ_LiDAR². The difference of two near numbers is uncertain; the map is not given the benefit of that, because the LiDAR is there
/// for free. The noise model is a model too, so σ_map is at least s/10. Without a confidence map σ_LiDAR is a lower bound, and where returns
/// are too few to find it, it is another sensor's: nothing is subtracted.
///
/// What the map takes over of the LiDAR's own error is excluded on purpose. It is in the LiDAR in full, so that it is no
/// reason to move towards it.
struct MapDeviation {
  /// nil where nothing was held out.
  private let byDepth: DeviationByDepth?
  /// σ over all distances, and the smallest at any.
  let overall: Double, least: Double
  static let binCount = 3
  /// Share of the overall variance in a bin's: a third of the returns alone is too uncertain.
  static let pooled = 0.5
  /// Residuals beyond this many medians are excluded.
  static let tailStart = 6.0
  /// Smallest share of s that is left to the map.
  static let floor = 0.1

  /// - Parameter residuals: ln(LiDAR/map), one per anchor; one that is not finite is excluded.
  init(_ residuals: [Double], _ anchors: LidarAnchors, deconvolving: Bool) {
    let sample = ResidualSample(residuals: residuals, anchors: anchors, deconvolving: deconvolving)
    let all = residuals.indices.filter { residuals[$0].isFinite }
    let overall = sample.deviation(all) ?? .infinity
    // By the map's depth: false returns do not choose their bin.
    let depths = residuals.indices.map {
      Foundation.log(Double(anchors.depth[Int(anchors.indices[$0])])) - residuals[$0]
    }
    let sorted = all.sorted { depths[$0] != depths[$1] ? depths[$0] < depths[$1] : $0 < $1 }
    var points: [DeviationByDepth.Point] = []
    for bin in 0..<Self.binCount {
      let members = sorted[(bin * sorted.count / Self.binCount)..<((bin + 1) * sorted.count / Self.binCount)]
      guard !members.isEmpty else { continue }
      let own = sample.deviation(Array(members)) ?? overall
      points.append(
        .init(
          depth: exp(depths[members[members.startIndex + members.count / 2]]),
          deviation: ((1 - Self.pooled) * own * own + Self.pooled * overall * overall).squareRoot()))
    }
    (byDepth, self.overall) = (points.isEmpty ? nil : DeviationByDepth(points), overall)
    least = points.map(\.deviation).min() ?? overall
  }

  /// Of a map without any weight.
  static func infinite(_ anchors: LidarAnchors) -> MapDeviation {
    MapDeviation([], anchors, deconvolving: false)
  }

  /// σ at depths of the map.
  func deviations(at depths: [Float]) -> [Float] {
    byDepth?.deviations(at: depths) ?? [Float](repeating: Float(overall), count: depths.count)
  }
}

/// Residuals with what is known of the LiDAR's part in them.
private struct ResidualSample {
  let residuals: [Double], anchors: LidarAnchors, deconvolving: Bool

  /// σ_map of the members; nil without any.
  func deviation(_ members: [Int]) -> Double? {
    let sizes = members.map { abs(residuals[$0]) }
    let weights = members.map { anchors.weight(Int(anchors.indices[$0])) }
    guard let median = OrderStatistics.median(of: sizes, weights: weights) else { return nil }
    // False returns widen the median's interval; without the tail it is that of the others.
    let inside = sizes.indices.filter { sizes[$0] <= MapDeviation.tailStart * median }
    let kept = inside.map { weights[$0] }
    let spread =
      OrderStatistics.normalConsistency
      * (OrderStatistics.median(of: inside.map { sizes[$0] }, weights: kept) ?? median)
    guard deconvolving else { return spread }
    let sum = kept.reduce(0, +)
    guard sum > 0 else { return spread }
    // Σwσ²/Σw with w = (σ_best/σ)².
    let best = Double(anchors.bestDeviation)
    let noise = Double(kept.count) * best * best / sum
    return max(
      spread * spread - noise, MapDeviation.floor * MapDeviation.floor * spread * spread
    ).squareRoot()
  }
}
