import FathomStatistics

extension Metric {
  /// Metrics that look at more than single pixels, on the whole image.
  public static let structure: [Metric] = [
    .boundaryF1, .temporalAbsRel, .flicker, .ause, .aurg, .sqRelKITTI, .irmsePerKilometre,
  ]

  /// Sharpness: whether depth steps are where the truth has them.
  public static let boundaryF1 = Metric(
    id: "boundary_f1", title: "boundary F1", unit: .share, direction: .higherIsBetter,
    formula: "F1 of depth steps at ratios 1.05…1.25, weighted by the ratio (Depth Pro), where truth is known",
    rule: .image { $0.boundaryF1 })

  /// How well the map agrees with that of the frame before, moved by the camera's motion. It belongs to two frames, so
  /// no image has a value of its own; a run of posed frames fills it in, with or without truth.
  public static let temporalAbsRel = Metric(
    id: "temporal_abs_rel", title: "temporal AbsRel", unit: .none,
    formula: "mean|z_warped − d|/d between consecutive frames, nearest splat, both directions",
    rule: .neighbours, display: .percent)

  /// Trembling at a surface point over three frames; see ``Flicker``. Filled in like ``temporalAbsRel``.
  public static let flicker = Metric(
    id: "flicker_m", title: "flicker", unit: .metre,
    formula:
      "1.4826·median|d₋−2d+d₊|/√6: a surface point's depth d and what the frames before and after read there, moved by "
      + "the poses; σ for independent noise", rule: .neighbours)

  /// What the LiDAR's confidence leaves to be desired as a predictor of the error.
  public static let ause = Metric(
    id: "ause", title: "AUSE", unit: .none,
    formula: "area between the sparsification curves by confidence and by error |d−g|/g, 0…99 % removed",
    rule: .image { $0.sparsification?.area })

  /// What the LiDAR's confidence is worth as a predictor of the error.
  public static let aurg = Metric(
    id: "aurg", title: "AURG", unit: .none, direction: .higherIsBetter,
    formula: "area between no order and the sparsification curve by confidence",
    rule: .image { $0.sparsification?.gainOverRandom }, possible: signed)

  /// The squared relative error as KITTI's benchmark has it.
  public static let sqRelKITTI = Metric(
    id: "sq_rel_kitti", title: "SqRel (KITTI)", unit: .none, formula: "mean((d−g)²/g²)",
    rule: .mean(.squaredRelative))

  /// The inverse-depth error in KITTI's unit.
  public static let irmsePerKilometre = Metric(
    id: "irmse_per_km", title: "iRMSE (KITTI)", unit: .perKilometre, formula: "1000·√mean((1/d−1/g)²)",
    rule: .rootMean(.squaredInverse, times: 1000))
}
