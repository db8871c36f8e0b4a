import FathomStatistics

extension Metric {
  /// What tables of maps without a LiDAR show beside the others, in a pass of its own; see ``ExtendedErrors``.
  public static let extended: [Metric] = [
    .delta103, .delta105, .imae, .normalMean, .normalMedian, .normal11, .normal22, .normal30, .scaleError,
    .epe, .bad1, .bad2, .bad4, .d1All,
  ]

  /// MapAnything's share of inliers.
  public static let delta103 = tightDelta("1.03", id: "delta_103") { $0.within103 }
  public static let delta105 = tightDelta("1.05", id: "delta_105") { $0.within105 }

  private static func tightDelta(
    _ limit: String, id: String, _ value: @escaping @Sendable (ExtendedErrors) -> Double?
  ) -> Metric {
    Metric(
      id: id, title: "δ<\(limit)", unit: .share, direction: .higherIsBetter,
      formula: "share of truth pixels with max(d/g, g/d) < \(limit)", rule: .extended(value))
  }

  /// Mean absolute error of the inverse depth, as KITTI's benchmark of depth completion has it.
  public static let imae = Metric(
    id: "imae_per_km", title: "iMAE", unit: .perKilometre, formula: "1000·mean|1/d−1/g|",
    rule: .extended { $0.inverse.map { 1000 * $0 } })

  /// Angles between the surfaces that the map and the truth are; the shares as of DSINE and others before it.
  public static let normalMean = normal("normal_mean_deg", "mean normal error", "mean") { $0.mean }
  public static let normalMedian = normal("normal_median_deg", "median normal error", "median") { $0.median }
  public static let normal11 = normalShare("11.25", id: "normal_11") { $0.within11 }
  public static let normal22 = normalShare("22.5", id: "normal_22") { $0.within22 }
  public static let normal30 = normalShare("30", id: "normal_30") { $0.within30 }

  private static let normals =
    "the angle between the unit normals of map and truth, from depth and intrinsics by central differences"

  private static func normal(
    _ id: String, _ title: String, _ centre: String, _ value: @escaping @Sendable (NormalErrors) -> Double?
  ) -> Metric {
    Metric(
      id: id, title: title, unit: .degree, formula: "\(centre) of \(normals)",
      rule: .extended { $0.normals.flatMap(value) }, possible: 0...180)
  }

  private static func normalShare(
    _ limit: String, id: String, _ value: @escaping @Sendable (NormalErrors) -> Double?
  ) -> Metric {
    Metric(
      id: id, title: "normals <\(limit)°", unit: .share, direction: .higherIsBetter,
      formula: "share of pixels with less than \(limit)° of \(normals)",
      rule: .extended { $0.normals.flatMap(value) })
  }

  /// How far the size of the scene is off; the single-image form of MapAnything's.
  public static let scaleError = Metric(
    id: "scale_error", title: "scale error", unit: .none,
    formula: "|median(g)/median(d) − 1| of a map in metres, before any alignment",
    rule: .extended { $0.scale }, display: .percent)

  /// End-point error of stereo networks.
  public static let epe = Metric(
    id: "epe_px", title: "EPE", unit: .pixel, formula: "mean|f·B/d − f·B/g|",
    rule: .extended { $0.stereo?.mean })
  public static let bad1 = bad("1") { $0.bad1 }
  public static let bad2 = bad("2") { $0.bad2 }
  public static let bad4 = bad("4") { $0.bad4 }

  private static func bad(_ limit: String, _ value: @escaping @Sendable (StereoErrors) -> Double) -> Metric {
    Metric(
      id: "bad_\(limit)", title: "bad-\(limit)", unit: .share,
      formula: "share of truth pixels without a prediction, or with |f·B/d − f·B/g| > \(limit) px",
      rule: .extended { $0.stereo.map(value) })
  }

  /// KITTI 2015's share of outliers.
  public static let d1All = Metric(
    id: "d1_all", title: "D1", unit: .share,
    formula: "share of truth pixels without a prediction, or with |f·B/d − f·B/g| > 3 px and > 5 % of f·B/g",
    rule: .extended { $0.stereo?.outliers })
}

extension Metric.Rule {
  /// A value of the extended pass.
  fileprivate static func extended(_ value: @escaping @Sendable (ExtendedErrors) -> Double?) -> Metric.Rule {
    .image { $0.extended.flatMap(value) }
  }
}
