import Foundation

/// Standard deviation of a map's relative error by distance, from its held-out residuals.
///
/// A residual holds the map's error and the LiDAR's: σ_map² = s² − σ_LiDAR² with s = 1.4826·median|e| over the
/// anchors of least noise. Added is what a map that was fitted with the anchor itself takes over of the LiDAR's error
/// (`noiseGain`·σ_LiDAR²), because a held-out block does not see it. The table's σ_LiDAR is a model too, and a
/// difference of two near numbers is not known to a few per cent, so σ_map is at least s/10. Without a confidence map
/// σ_LiDAR is a lower bound and nothing is subtracted.
struct MapDeviation {
  /// ln of the depth at the bins' middles, ascending, and σ there.
  private let logDepths: [Double], deviations: [Double]
  /// σ over all distances.
  let overall: Double
  static let binCount = 3
  /// Fewest anchors of one noise level that make an estimate.
  static let leastCount = 200
  /// Residuals beyond this many medians are left out.
  static let tailStart = 6.0
  /// Smallest share of s that is left to the map.
  static let floor = 0.1

  /// - Parameters:
  ///   - residuals: ln(LiDAR/map), one per anchor; one that is not finite is left out.
  ///   - noiseGain: Variance of the map's error per variance of the LiDAR's.
  init(_ residuals: [Double], _ anchors: LidarAnchors, deconvolving: Bool, noiseGain: Double) {
    let all = residuals.indices.filter { residuals[$0].isFinite }
    func deviation(_ members: [Int], least: Int) -> Double? {
      Self.deviation(members, residuals, anchors, deconvolving, noiseGain, least: least)
    }
    let overall = deviation(all, least: 1) ?? .infinity
    // By the map's depth: false returns do not choose their bin.
    let depths = residuals.indices.map {
      Foundation.log(Double(anchors.depth[Int(anchors.indices[$0])])) - residuals[$0]
    }
    let sorted = all.sorted { depths[$0] != depths[$1] ? depths[$0] < depths[$1] : $0 < $1 }
    var (logDepths, deviations) = ([Double](), [Double]())
    for bin in 0..<Self.binCount {
      let members = sorted[(bin * sorted.count / Self.binCount)..<((bin + 1) * sorted.count / Self.binCount)]
      guard !members.isEmpty else { continue }
      logDepths.append(depths[members[members.startIndex + members.count / 2]])
      deviations.append(deviation(Array(members), least: Self.leastCount) ?? overall)
    }
    (self.logDepths, self.deviations, self.overall) = (logDepths, deviations, overall)
  }

  /// Of the members of the least noise of which there are enough.
  private static func deviation(
    _ members: [Int], _ residuals: [Double], _ anchors: LidarAnchors, _ deconvolving: Bool,
    _ noiseGain: Double, least: Int
  ) -> Double? {
    let levels = Set(members.map { anchors.deviation[Int(anchors.indices[$0])] }).sorted()
    for level in levels {
      let chosen = members.filter { anchors.deviation[Int(anchors.indices[$0])] == level }
      guard chosen.count >= least, let median = OrderStatistics.medianAbsolute(chosen.map { residuals[$0] })
      else { continue }
      // False returns widen the median's interval; without the tail it is that of the others.
      let inside = chosen.map { abs(residuals[$0]) }.filter { $0 <= tailStart * median }
      let spread = OrderStatistics.normalConsistency * (OrderStatistics.median(of: inside) ?? median)
      guard deconvolving else { return spread }
      let noise = Double(level) * Double(level)
      let left = max(0, spread * spread - noise) + noiseGain * noise
      return max(left, floor * floor * spread * spread).squareRoot()
    }
    return nil
  }

  /// σ at a depth of the map, linear in ln d between the bins' middles.
  func callAsFunction(depth: Float) -> Double {
    guard let first = logDepths.first, let last = logDepths.last else { return overall }
    let position = Double(Foundation.log(depth))
    if !(position > first) { return deviations[0] }
    if position >= last { return deviations[deviations.count - 1] }
    let upper = logDepths.firstIndex { $0 > position } ?? logDepths.count - 1
    let run = logDepths[upper] - logDepths[upper - 1]
    let share = run > 0 ? (position - logDepths[upper - 1]) / run : 1
    return deviations[upper - 1] + (deviations[upper] - deviations[upper - 1]) * share
  }
}
