public import DepthCore
import DepthFusion
internal import Foundation
internal import FathomStatistics

/// How a network's unit changes from frame to frame of one scene, and whether its frame-wise maximum explains it.
///
/// A network in a unit of its own has one scale per scene; one whose output is divided by the frame's maximum, as the Core ML
/// conversion of Depth Anything does, changes it whenever the nearest thing in view changes. ln α is looked at: what
/// matters is by which factor.
public struct ScaleDrift: Sendable {
  public let scene: String
  /// What the relative values mean.
  public let kind: RelativeKind
  /// Frames with a relative map, and those whose scale has the sign that the kind asks for.
  public let frames: Int, fitted: Int
  /// Smallest and largest scale.
  public let scales: (low: Double, high: Double)?
  /// Slope of ln α over time, per second (per frame where the scene has no times), with its interval within the scene.
  public let drift: Double?, interval: Interval?
  public let isPerSecond: Bool
  /// Robust standard deviation of the changes of ln α between successive frames: 1.4826·median|Δ − median Δ|.
  public let flicker: Double?
  /// Whether every frame's maximum is the same: the maps were divided by it.
  public let isNormalised: Bool
  /// Correlation of ln α with ln of the map's maximum; nil for a normalised map.
  public let correlationWithMaximum: Double?
  /// Correlation of ln α with ln of the nearest depth, which is what decides the maximum.
  public let correlationWithNearest: Double?
  /// Frame by frame.
  public let scale: [FrameScale]
  /// Maxima that differ by less count as one: half precision rounds by 0.05 %.
  static let sameMaximum = 1e-3
  /// Frames below which there is no slope and no correlation.
  static let fewestFrames = 5

  /// - Parameter frames: In order.
  /// - Returns: nil where no frame has a relative map.
  init?(scene: String, kind: RelativeKind, _ frames: [FrameScale]) {
    guard !frames.isEmpty else { return nil }
    (self.scene, self.kind, self.frames, scale) = (scene, kind, frames.count, frames)
    let sign = Space(natural: kind).expectedSlopeSign(for: kind)
    let usable = frames.filter { frame in
      frame.scale.map { $0.isFinite && $0 > 0 && sign != .minus } ?? false
    }
    fitted = usable.count
    let logs = usable.map { Foundation.log($0.scale ?? 1) }
    scales = usable.compactMap(\.scale).min()
      .flatMap { low in usable.compactMap(\.scale).max().map { (low, $0) } }
    let times = usable.map(\.seconds)
    isPerSecond = times.allSatisfy { $0 != nil }
    let axis = isPerSecond ? times.map { $0 ?? 0 } : usable.map { Double($0.index) }
    let trend = usable.count >= Self.fewestFrames ? TrendLine(axis, logs) : nil
    (drift, interval) = (trend?.slope, trend?.interval)
    flicker = Self.flicker(usable, logs)
    let maxima = frames.map(\.maximum)
    isNormalised =
      (maxima.max() ?? 0) > 0
      && (maxima.max() ?? 0) - (maxima.min() ?? 0) < Self.sameMaximum * (maxima.max() ?? 1)
    let hasEnough = usable.count >= Self.fewestFrames
    correlationWithMaximum =
      isNormalised || !hasEnough || usable.contains { $0.maximum <= 0 }
      ? nil : Self.correlation(usable.map { Foundation.log($0.maximum) }, logs)
    correlationWithNearest =
      !hasEnough || usable.contains { $0.nearest == nil }
      ? nil : Self.correlation(usable.map { Foundation.log($0.nearest ?? 1) }, logs)
  }

  private static func flicker(_ usable: [FrameScale], _ logs: [Double]) -> Double? {
    let changes = usable.indices.dropFirst().compactMap { k in
      usable[k].index == usable[k - 1].index + 1 ? logs[k] - logs[k - 1] : nil
    }
    guard changes.count >= 3 else { return nil }
    return OrderStatistics.medianAbsoluteDeviation(changes).map { $0 * OrderStatistics.normalConsistency }
  }

  /// Pearson's; nil for constant values.
  private static func correlation(_ x: [Double], _ y: [Double]) -> Double? {
    let (mx, my) = (x.reduce(0, +) / Double(x.count), y.reduce(0, +) / Double(y.count))
    var (xx, yy, xy) = (0.0, 0.0, 0.0)
    for (a, b) in zip(x, y) {
      xx += (a - mx) * (a - mx)
      yy += (b - my) * (b - my)
      xy += (a - mx) * (b - my)
    }
    guard xx > 1e-18, yy > 1e-18 else { return nil }
    return xy / (xx * yy).squareRoot()
  }
}

/// A straight line through a time series, with an interval that allows for errors that follow each other.
///
/// Least squares; variance by Newey & West 1987 (Bartlett weights up to lag ⌊4·(n/100)^(2/9)⌋, factor n/(n−2)), Student's t
/// with n − 2 degrees of freedom.
struct TrendLine: Sendable {
  let slope: Double, interval: Interval

  /// - Returns: nil where all x are equal, or for fewer than three.
  init?(_ x: [Double], _ y: [Double]) {
    let n = Double(x.count)
    let (mx, my) = (x.reduce(0, +) / n, y.reduce(0, +) / n)
    let xx = x.reduce(0) { $0 + ($1 - mx) * ($1 - mx) }
    guard x.count >= 3, xx > 0 else { return nil }
    let slope = zip(x, y).reduce(0) { $0 + ($1.0 - mx) * ($1.1 - my) } / xx
    let scores = x.indices.map { (x[$0] - mx) * (y[$0] - my - slope * (x[$0] - mx)) }
    let lags = Int(saturating: 4 * Foundation.pow(n / 100, 2.0 / 9))
    var sum = scores.reduce(0) { $0 + $1 * $1 }
    for lag in stride(from: 1, through: min(lags, x.count - 1), by: 1) {
      let product = (lag..<x.count).reduce(0) { $0 + scores[$1] * scores[$1 - lag] }
      sum += 2 * (1 - Double(lag) / Double(lags + 1)) * product
    }
    let error = (max(0, sum) * n / (n - 2)).squareRoot() / xx
    let reach = StudentDistribution.criticalValue(0.05, freedom: n - 2) * error
    self.slope = slope
    interval = Interval(low: slope - reach, high: slope + reach)
  }
}
