import DepthCore

/// A yaw of a footprint with the reason for it, and the way to find it again on a resample.
struct YawEstimate {
  var yaw: Double, reason: String
  /// What the yaw was estimated from, where that is not all points.
  var resampled: Footprint? = nil
  /// The yaw of other points; nil where they do not determine one.
  var repeated: (Footprint) -> Double?
  /// Below this 1 − λ₂/λ₁ the footprint counts as nearly square, and the yaw gets an interval.
  static let nearlySquare = 0.25
  /// Resamples of the interval.
  static let resamples = 200

  /// The box at this yaw that holds all points: min/max along its axes, at least the options' floor.
  func fit(
    _ object: ObjectPoints, _ options: BoxOptions, method: String, using generator: inout SplitMix64
  ) throws(BoxError) -> BoxFit {
    let footprint = Footprint(object.points), gap = try footprint.moments.principalAxes().gap
    return BoxFit(
      PointExtent(object.points, yaw: yaw).box(floor: options.sizeFloor),
      BoxDiagnostics(
        method: method, pointCount: object.points.count, eigenvalueGap: gap,
        yawInterval: gap < Self.nearlySquare ? interval(resampled ?? footprint, using: &generator) : nil,
        reason: reason))
  }

  /// Points of a resample at most, evenly picked. Neighbouring LiDAR pixels are not independent, so that more of
  /// them would promise too much; and the interval stays cheap.
  static let resampledPoints = 256

  /// Efron & Tibshirani 1993, ch. 13, on the circle of quarter turns.
  func interval(_ footprint: Footprint, using generator: inout SplitMix64) -> YawInterval {
    let step = (footprint.points.count + Self.resampledPoints - 1) / Self.resampledPoints
    let points = stride(from: 0, to: footprint.points.count, by: max(1, step)).map { footprint.points[$0] }
    let count = UInt64(points.count)
    var deviations: [Double] = []
    for _ in 0..<Self.resamples {
      let sample = points.indices.map { _ in
        points[Int(generator.next().multipliedFullWidth(by: count).high)]
      }
      guard let other = repeated(Footprint(sample)) else { continue }
      deviations.append(remainder(of: other - yaw, period: .pi / 2))
    }
    return YawInterval(
      below: OrderStatistics.quantile(0.025, of: deviations) ?? -.pi / 4,
      above: OrderStatistics.quantile(0.975, of: deviations) ?? .pi / 4)
  }
}

/// The value nearest to zero that differs from `angle` by whole periods.
func remainder(of angle: Double, period: Double) -> Double { angle.remainder(dividingBy: period) }
