extension ColumnEntry {
  /// Columns that a table uses in its own way, by table.
  static let ofOneTable: [String: [String: ColumnEntry]] = [
    "scenes": [
      "frames": .integer("frames that were evaluated"),
      "relative_kind": .text("whether the relative map is disparity (larger is nearer) or depth; unknown"),
      "kind_correlation": .number(
        "Spearman's ρ of relative map and inverse depth where it decided the kind", missing: "declared"),
      "truth_independence": .text(
        "where the truth comes from: render, independent, same-sensor, multiview, unknown",
        missing: "no truth"),
    ],
    "methods": [
      "frames": .integer("frames that the method was asked for"),
      "role": .text("baseline, which all others are held against; oracle, which looks at the truth; method"),
      "min_confidence": .integer(
        "lowest LiDAR confidence of a pair that is fitted", missing: "the method has no such limit"),
      "title": .text("the method in words", missing: "not a method of fathom's own"),
      "aggregation": .text("how pixels are averaged"),
    ],
    "frame_metrics": ["value": .number("mean over the frame's pixels, as the metric says", unit: "metric")],
    "scene_methods": ["frames": .integer("frames that the method was asked for")],
    "scene_metrics": [
      "value": .number("mean over the scene's frames that have a value", unit: "metric")
    ],
    "diagnosis": diagnosis,
    "pairwise": pairwise,
    "ranks": ranks,
    "sparsification": [
      "order": .text(
        "which pixels go first: by_confidence the least confident, by_error the worst, random any"),
      "abs_rel_left": .number("mean of |d−g|/g over the pixels that are left"),
    ],
    "cumulative": ["low": bound("lower", "share"), "high": bound("upper", "share")],
    "object_summary": objectSummary,
    "detections": [
      "by": .text("class, or all for all classes together"),
      "scenes": .integer("scenes with a detection or a true box"),
      "matched": .integer("detections with a true box of their class"),
      "spurious": .integer("detections without"),
      "missed": .integer("true boxes without a detection"),
      "value": .number("over all detections", unit: "metric"),
    ],
    "protocols": protocols,
  ]

  private static func bound(_ end: String, _ unit: String) -> ColumnEntry {
    .number("\(end) end of the 95 % interval over scenes", unit: unit, missing: "fewer than two scenes")
  }

  private static let diagnosis: [String: ColumnEntry] = [
    "test": .text("convention that is tested: relative-orientation, …"),
    "declared": .text("what the data declare", missing: "nothing is declared"),
    "supported": .text("what they support", missing: "they do not say"),
    "verdict": .text(
      "confirmed, contradicted, undecidable, found where nothing is declared, not-testable"),
    "margin": .number(
      "standard errors between the supported reading and the next one, as those of a normal distribution",
      missing: "there is nothing to compare"),
    "confidence": .number(
      "share of resamples in which it stays the best", unit: "share", missing: "nothing was resampled"),
    "summary": .text("the finding in words"),
    "fix": .text("what mends it", missing: "nothing to mend"),
  ]

  private static let pairwise: [String: ColumnEntry] = [
    "method_a": .text("the one"),
    "method_b": .text("the other"),
    "scenes": .integer("scenes with a frame that counts"),
    "frames": .integer("frames that count in the form"),
    "value_a": .number("mean of method_a on them", unit: "metric", missing: "no frame has both"),
    "value_b": .number("mean of method_b on them", unit: "metric", missing: "no frame has both"),
    "difference": .number("value_a − value_b", unit: "metric", missing: "no frame has both"),
    "p_adjusted": .number(
      "p after Holm's correction over all pairs of the same metric and form",
      missing: "fewer than two scenes"),
    "coverage_a": .number("coverage of method_a", unit: "share", missing: "it solved nothing"),
    "coverage_b": .number("coverage of method_b", unit: "share", missing: "it solved nothing"),
  ]

  private static let ranks: [String: ColumnEntry] = [
    "scenes": .integer("scenes that are ranked"),
    "methods": .integer("methods that are ranked"),
    "mean_rank": .number("mean over scenes of the method's rank, 1 is best"),
    "nemenyi_p_best": .number("Nemenyi's p that it ranks like the best one"),
    "critical_difference": .number("ranks that two methods must lie apart at 0.05 (Nemenyi)"),
    "friedman_chi2": .number("Friedman's χ² that all rank alike"),
    "friedman_p": .number("its p"),
    "iman_davenport_f": .number("Iman and Davenport's F, the same less conservative"),
    "iman_davenport_p": .number("its p"),
  ]

  private static let objectSummary: [String: ColumnEntry] = [
    "method": .text("box method"),
    "objects": .integer("detections above the confidence threshold"),
    "boxed": .integer("those that have a box"),
    "scenes": .integer("scenes with a detection"),
    "value": .number("over a scene's objects as the metric says, then mean over scenes", unit: "metric"),
  ]

  private static let protocols: [String: ColumnEntry] = [
    "protocol": .text("protocol that the steps lead to"),
    "step": .integer("0 is the run's own protocol; every step turns one switch more"),
    "switch": .text("what this step changes", missing: "the first step"),
    "statement": .text("the rules after this step, in words"),
    "complete": .text("yes where this is the whole protocol"),
    "oracle": .text("yes where the method looks at the truth"),
    "change": .number("value − that of the step before", unit: "metric", missing: "the first step"),
  ]
}
