import DepthEvaluation
import DepthObjects

extension ColumnEntry {
  /// The columns of `objects`, which is wide as the run stores it: its rows are objects.
  static let objects: [String: ColumnEntry] = {
    var entries = detection.merging(measured) { first, _ in first }
      .merging(errors) { first, _ in first }
    for (stem, whose) in [("box", "fitted box"), ("true", "true box")] {
      entries.merge(box(stem, whose)) { first, _ in first }
    }
    return entries.merging(placements) { first, _ in first }
  }()

  private static let noBox = "no box, or no true one"

  private static let detection: [String: ColumnEntry] = [
    "object": .integer("position in the scene's detections, or in the frame's where they were decoded"),
    "score": .number("score that the detector gave", missing: "none, or not finite"),
    "depth": .text("depth map: lidar, truth or a fusion method", missing: "low_score: no map was looked at"),
    "method": .text("box method", missing: "low_score, no_map: no box was tried"),
    "chosen": .text("box method that it used, where it chooses", missing: "no box"),
    "status": .text(
      "ok, or why there is no box: low_score, no_map, no_depth, bad_image_box, too_few_points, not_finite, numerical"
    ),
    "reason": .text(
      "the same in words; for ok, why a method that chooses chose so", missing: "nothing to say"),
    "points": .integer("points that the box is fitted to", missing: "none were looked for"),
    "masked": .text(
      "no where the mask left too few depths and all of the image box count", missing: "none were looked for"),
    "visibility": .number(
      "area of the mask / area of the true box's outline in the image plane", unit: "share",
      missing: "no true box or mask"),
    "in_image": .number(
      "share of that outline within the image", unit: "share", missing: "no true box or mask"),
    "visible_faces": .integer(
      "faces of the true box turned to the camera, 0–3", missing: "no true box or mask"),
    "range_m": .number("from the camera to the true box's centre", unit: "m", missing: "no true box"),
    "eigenvalue_gap": .number("1 − λ₂/λ₁ of the points' footprint", missing: "the method does not use it"),
    "yaw_interval_low_rad": .number(
      "how far below the yaw its 95 % bootstrap interval reaches", unit: "rad",
      missing: "the footprint is not nearly square"),
    "yaw_interval_high_rad": .number(
      "how far above the yaw its 95 % bootstrap interval reaches", unit: "rad",
      missing: "the footprint is not nearly square"),
  ]

  private static let measured: [String: ColumnEntry] = [
    "median_depth_m": .number("median depth of the object", unit: "m", missing: "no depth"),
    "label": .text("text that the app shows", missing: "no depth"),
    "label_error_m": .number(
      "median depth − that of the true depth at the same pixels", unit: "m", missing: "no depth or truth"),
    "effect_width_m": .number("clamp(image box width · depth / fx)", unit: "m", missing: "no depth"),
  ]

  private static let errors: [String: ColumnEntry] = {
    var entries: [String: ColumnEntry] = [:]
    for metric in ObjectMetric.all where !metric.id.hasPrefix("placement") && metric.id != "label_error_m" {
      entries[metric.id] = .number(metric.formula, unit: metric.unit, missing: noBox)
    }
    for side in ["length", "height", "width"] {
      entries["\(side)_error_m"] = .number(
        "\(side) − true \(side), of the nearest of the four equal descriptions", unit: "m", missing: noBox)
    }
    return entries
  }()

  private static func box(_ stem: String, _ whose: String) -> [String: ColumnEntry] {
    let missing = stem == "box" ? "no box" : "no true box"
    var entries: [String: ColumnEntry] = [
      "\(stem)_length_m": .number("\(whose): length along the yaw axis", unit: "m", missing: missing),
      "\(stem)_height_m": .number("\(whose): height", unit: "m", missing: missing),
      "\(stem)_width_m": .number("\(whose): width", unit: "m", missing: missing),
      "\(stem)_yaw_rad": .number(
        "\(whose): yaw θ; the length axis points at (cos θ, 0, sin θ)", unit: "rad", missing: missing),
    ]
    for axis in ["x", "y", "z"] {
      entries["\(stem)_\(axis)_m"] = .number(
        "\(whose): \(axis) of the centre in a y-up world", unit: "m", missing: missing)
    }
    return entries
  }

  private static let placements: [String: ColumnEntry] = {
    var entries: [String: ColumnEntry] = [
      "placement_box_cm": .number(ObjectMetric.placement.formula, unit: "cm", missing: noBox),
      "placement_box_along_cm": .number("the same along the ray", unit: "cm", missing: noBox),
      "placement_box_across_cm": .number("the same across the ray", unit: "cm", missing: noBox),
    ]
    for metric in ObjectMetric.otherPlacements {
      entries[metric.id] = .number(metric.formula, unit: metric.unit, missing: "no depth, plane or true box")
    }
    for anchor in PlacementAnchor.allCases {
      let column = PlacementMethod.hitTest(anchor).column.replacing("hit_test_", with: "")
      entries["hit_plane_\(column)_y_m"] = .number(
        "height in the world of the plane that a hit test at \(column) of the image box finds", unit: "m",
        missing: "no plane")
    }
    return entries
  }()
}
