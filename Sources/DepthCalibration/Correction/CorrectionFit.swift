import DepthCore
public import DepthFusion
internal import Foundation
internal import FathomStatistics

/// The correction d′ = scale·d + offset that takes the LiDAR's high-confidence depth to the truth, and whether it should be
/// applied.
///
/// The error is a line of the true depth, e = m₀ + m₁·d, because the noise is the measurement's; the correction is its inverse:
/// scale = 1/(1+m₁), offset = −m₀/(1+m₁). Tukey's biweight (c = 4.685·σ̂, begun at Huber's estimate) on errors divided by the
/// depth, so that near and far weigh alike and outliers to one side do not move the line; covariance by leaving out one scene in turn with these weights (the jackknife of MacKinnon, Nørgaard
/// Nielsen & Webb 2023), t with one degree of freedom less than scenes.
public struct CorrectionFit: Sendable {
  /// Why no correction is recommended, or that one is.
  public enum Verdict: String, Codable, Sendable {
    case recommended
    /// Not to be told from the identity.
    case indistinguishable
    /// The truth comes from the sensor itself, or may: what both have in common cannot be seen.
    case sharedTruth = "shared-truth"
    /// Too few to say anything about another one.
    case tooFewScenes = "too-few-scenes"
  }

  /// Scenes from which on a finding may be taken to hold elsewhere.
  public static let fewestScenes = 4
  /// Pixels below which nothing is fitted.
  static let fewestSamples = 50
  public let correction: LidarCorrection
  /// nil for one unit.
  public let scaleInterval: Interval?, offsetInterval: Interval?
  /// Probability that the identity would give so large a correction (Hotelling's T²); nil for fewer than three units.
  public let pValue: Double?
  /// Kept pixels, and scenes (or blocks of frames) they come from.
  public let samples: Int, units: Int
  public let verdict: Verdict
  /// Of the pixels at confidence 2 that a run kept; nil where there are hardly any.
  public init?(_ run: CalibrationRun) { self.init(run.scenes) }

  /// - Parameter scenes: With truth; of one, blocks of frames are the units.
  public init?(_ scenes: [SceneErrors]) {
    let units = CalibrationUnits(scenes)
    let independent = scenes.allSatisfy { $0.independence.canShowGainOverSensor }
    self.init(
      clusters: units.samples(level: 2).filter { !$0.isEmpty }, areScenes: units.kind == .scenes,
      truthIsIndependent: independent)
  }

  init?(clusters: [[ErrorSample]], areScenes: Bool, truthIsIndependent: Bool) {
    samples = clusters.reduce(0) { $0 + $1.count }
    guard samples >= Self.fewestSamples, let fit = RobustErrorLine(clusters) else { return nil }
    let best = Self.correction(fit.line), moved = fit.without.map(Self.correction)
    let n = Double(clusters.count)
    (correction, units) = (best, clusters.count)
    let (spread, t) = (
      (n - 1) / n, clusters.count > 1 ? StudentDistribution.criticalValue(0.05, freedom: n - 1) : 0
    )
    var (ss, so, oo) = (0.0, 0.0, 0.0)
    for other in moved {
      let (s, o) = (other.scale - best.scale, other.offset - best.offset)
      ss += spread * s * s
      so += spread * s * o
      oo += spread * o * o
    }
    let hasIntervals = clusters.count > 1 && moved.count == clusters.count
    scaleInterval = hasIntervals ? Interval(best.scale, t * ss.squareRoot()) : nil
    offsetInterval = hasIntervals ? Interval(best.offset, t * oo.squareRoot()) : nil
    pValue = hasIntervals ? Self.hotelling(best, ss, so, oo, n) : nil
    verdict =
      !truthIsIndependent
      ? .sharedTruth
      : !areScenes || clusters.count < Self.fewestScenes
        ? .tooFewScenes : (pValue ?? 1) < 0.05 ? .recommended : .indistinguishable
  }

  /// What a calibration should apply.
  public var recommended: LidarCorrection { verdict == .recommended ? correction : .identity }

  private static func correction(_ line: (bias: Double, slope: Double)) -> LidarCorrection {
    LidarCorrection(scale: 1 / (1 + line.slope), offset: -line.bias / (1 + line.slope))
  }

  /// T² of the distance from the identity, as F with 2 and n − 2 degrees of freedom.
  private static func hotelling(
    _ found: LidarCorrection, _ ss: Double, _ so: Double, _ oo: Double, _ n: Double
  ) -> Double? {
    let (s, o, determinant) = (found.scale - 1, found.offset, ss * oo - so * so)
    guard n > 2, determinant > 1e-12 * ss * oo else { return nil }
    let square = (s * s * oo - 2 * s * o * so + o * o * ss) / determinant
    let f = (n - 2) / (2 * (n - 1)) * square
    // P(F > f) has this closed form for 2 degrees of freedom in the numerator.
    return Foundation.pow(1 + 2 * f / (n - 2), -(n - 2) / 2)
  }
}

/// A robust line through errors over true depth, and the same without each cluster.
private struct RobustErrorLine {
  let line: (bias: Double, slope: Double)
  /// One per cluster; fewer where leaving one out leaves no line.
  let without: [(bias: Double, slope: Double)]
  private static let steps = 50
  /// Weights over |residual|/σ̂: Huber's, which has one minimum, then Tukey's, which forgets what is far.
  private static let weights: [@Sendable (Double) -> Double] = [
    { $0 <= 1.345 ? 1 : 1.345 / $0 },
    { $0 < 4.685 ? (1 - $0 * $0 / (4.685 * 4.685)) * (1 - $0 * $0 / (4.685 * 4.685)) : 0 },
  ]

  init?(_ clusters: [[ErrorSample]]) {
    func sums(
      _ line: (bias: Double, slope: Double), _ sigma: Double, _ weight: (Double) -> Double
    ) -> [LineSums] {
      clusters.map { cluster in
        cluster.reduce(into: LineSums()) { sums, sample in
          let size = abs(sample.error - line.bias - line.slope * sample.depth) / sample.depth
          sums.add(
            x: sample.depth, y: sample.error, weight: weight(size / sigma) / (sample.depth * sample.depth))
        }
      }
    }
    func total(_ parts: [LineSums]) -> LineSums { parts.reduce(into: LineSums()) { $0 += $1 } }
    var parts = sums((0, 0), 1) { _ in 1 }
    guard var line = total(parts).line else { return nil }
    for weight in Self.weights {
      for _ in 0..<Self.steps {
        let sizes = clusters.flatMap { cluster in
          cluster.map { abs($0.error - line.bias - line.slope * $0.depth) / $0.depth }
        }
        let sigma = OrderStatistics.normalConsistency * (OrderStatistics.median(of: sizes) ?? 0)
        guard sigma > 0 else { break }
        parts = sums(line, sigma, weight)
        guard let next = total(parts).line else { return nil }
        let change = abs(next.bias - line.bias) + abs(next.slope - line.slope)
        line = next
        if change < 1e-10 { break }
      }
    }
    let all = total(parts)
    self.line = line
    without = clusters.count > 1 ? parts.compactMap { (all - $0).line } : []
  }
}

/// Weighted sums of a line y = bias + slope·x.
private struct LineSums {
  var w = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0

  mutating func add(x value: Double, y other: Double, weight: Double) {
    w += weight
    x += weight * value
    y += weight * other
    xx += weight * value * value
    xy += weight * value * other
  }

  /// nil where all depths are one.
  var line: (bias: Double, slope: Double)? {
    guard w > 0 else { return nil }
    let spread = xx / w - x / w * (x / w)
    guard spread > 1e-9 * xx / w else { return nil }
    let slope = (xy / w - x / w * (y / w)) / spread
    return (y / w - slope * x / w, slope)
  }

  static func += (total: inout LineSums, part: LineSums) {
    (total.w, total.x, total.y) = (total.w + part.w, total.x + part.x, total.y + part.y)
    (total.xx, total.xy) = (total.xx + part.xx, total.xy + part.xy)
  }

  static func - (total: LineSums, part: LineSums) -> LineSums {
    LineSums(
      w: total.w - part.w, x: total.x - part.x, y: total.y - part.y, xx: total.xx - part.xx,
      xy: total.xy - part.xy)
  }
}

extension Interval {
  fileprivate init(_ centre: Double, _ reach: Double) { self.init(low: centre - reach, high: centre + reach) }
}
