extension ColumnEntry {
  /// Columns that mean the same wherever they stand.
  static let ofAnyTable: [String: ColumnEntry] = keys.merging(fits) { first, _ in first }
    .merging(estimates) { first, _ in first }.merging(tests) { first, _ in first }

  private static let noInterval = "fewer than two scenes, or no interval in the run"

  private static let keys: [String: ColumnEntry] = [
    "scene": .text("name of the scene, unique in the run"),
    "frame": .text("frame_id of the data, or the index where there is none", missing: "an unreadable file"),
    "method": .text("fusion method, with the form of its fit where it has several: ols@disparity"),
    "space": .text(
      "form of the fit: depth, disparity or log", missing: "the method fits no line, or scenes differ"),
    "metric": .text("id of a metric; its meaning, unit and direction stand in the rows of the dictionary"),
    "scenes": .integer("scenes that have a value"),
    "frames": .integer("frames that have a value"),
    "frames_solved": .integer("frames on which the method delivered a map that could be scored"),
    "pixels": .integer("truth pixels of the bin, all frames together"),
    "unit": .text("unit of value, low and high", missing: "a number without one"),
    "direction": .text("what is best: lower, higher or zero"),
    "from_m": .number("true depth above which the bin begins", unit: "m"),
    "to_m": .number("true depth up to which it reaches", unit: "m"),
    "confidence": .integer("confidence of the LiDAR pixel under the truth pixel: 0 low, 1 medium, 2 high"),
    "error_m": .number("an absolute error |d−g|", unit: "m"),
    "share": .number(
      "share of truth pixels with a smaller error; a missing prediction is never among them", unit: "share"),
    "removed_share": .number("share of the pixels that is removed", unit: "share"),
    "by": .text("what objects are divided by: all, class, range, visibility"),
    "bin": .text("name of the group; all where they are not divided"),
    "depth": .text("depth map that objects are boxed in: lidar, truth or a fusion method"),
    "class": .text("class that the detector gave", missing: "all classes together"),
  ]

  private static let fits: [String: ColumnEntry] = [
    "status": .text(
      "ok, or the first that applies of no_relative, too_few_pairs, degenerate, rejected_scale, no_truth, impossible; "
        + "unreadable for a file"),
    "reason": .text("the same in words", missing: "nothing to say"),
    "pairs": .integer("LiDAR returns and relative values that entered the fit", missing: "no fit"),
    "inliers": .integer("pairs that agree with the line", missing: "no fit, or none that counts them"),
    "scale": .number("slope α of the line, in the form of the fit", missing: "no line"),
    "shift": .number("intercept β of the line, in the form of the fit", missing: "no line"),
    "rank": .integer("rank of the design matrix", missing: "no fit"),
    "condition": .number(
      "condition number of the design matrix; inf where it is singular", missing: "no fit"),
    "spread": .number(
      "standard deviation of the relative values / their largest magnitude", missing: "no fit"),
  ]

  private static let estimates: [String: ColumnEntry] = [
    "value": .number("mean over pixels, then frames, then scenes, as the protocol says", unit: "metric"),
    "low": .number("lower end of the 95 % BCa interval over scenes", unit: "metric", missing: noInterval),
    "high": .number("upper end of the 95 % BCa interval over scenes", unit: "metric", missing: noInterval),
    "percentile_low": .number(
      "lower end of the plain percentile interval", unit: "metric", missing: noInterval),
    "percentile_high": .number(
      "upper end of the plain percentile interval", unit: "metric", missing: noInterval),
    "difference": .number(
      "value of the method − that of the reference, on the frames of the form; negative is a gain where lower is "
        + "better", unit: "metric", missing: "no frame has both"),
  ]

  private static let tests: [String: ColumnEntry] = [
    "reference": .text("method that it is held against"),
    "form": .text(
      "solved: frames that both solved; fallback: all frames, the raw LiDAR stands in where a method refused"),
    "p": .number(
      "Wilcoxon's signed-rank test on the scenes' means, exact up to 25 scenes, Pratt's zeros",
      missing: "fewer than two scenes"),
    "p_adjusted": .number(
      "p after Holm's correction over the methods held against the same reference in the same metric and form",
      missing: "fewer than two scenes"),
  ]
}
