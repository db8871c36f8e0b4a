import FathomTables
import DepthCore
import DepthEvaluation
import DepthObjects
import DepthVerdicts

/// `objects.csv`, `object_summary.csv`, `detections.csv`: what became of detected objects.
enum ObjectTables {
  // MARK: objects.csv

  private static let noBox = "no box, or no true one"

  /// One row per object × depth map × box method.
  static func objects(_ results: ObjectResults) -> DataTable {
    DataTable(
      of: "detected object × depth map × box method", columns, results.records, count: results.records.count)
  }

  private static let columns: [Column<ObjectRecord>] = {
    let fitted = box("box", "fitted box", missing: "no box") { $0.fit?.box }
    let known = box("true", "true box", missing: "no true box") { $0.object.truth }
    return [detection, fitted, known, errors, footprint, measured, placements].flatMap { $0 }
  }()

  private static let detection: [Column<ObjectRecord>] = [
    CommonColumn.scene { $0.object.scene },
    .text("frame", "frame_id of the data, or the index where there is none") { $0.object.frame },
    .integer(
      "object", "position in the scene's detections, or in the frame's where they were decoded",
      \.object.index), .text("class", "class that the detector gave") { $0.object.label },
    Column(ColumnMeaning("score", .number, "score that the detector gave", missing: "none, or not finite")) {
      // The shortest text that is this Float, not that of the Double beside it.
      .init($0.object.score.isFinite ? "\($0.object.score)" : nil)
    },
    .text(
      "depth", "depth map: lidar, truth or a fusion method", missing: "low_score: no map was looked at",
      \.depth), .text("method", "box method", missing: "low_score, no_map: no box was tried") { $0.method },
    .text(
      "chosen", "box method that it used, where it chooses", missing: "no box", \.fit?.diagnostics.method),
    .text(
      "status",
      "ok, or why there is no box: low_score, no_map, no_depth, bad_image_box, too_few_points, not_finite, numerical"
    ) { $0.status.rawValue },
    .text(
      "reason", "the same in words; for ok, why a method that chooses chose so", missing: "nothing to say",
      reason),
    .integer(
      "points", "points that the box is fitted to", missing: "none were looked for", \.view?.pointCount),
    .text(
      "masked", "no where the mask left too few depths and all of the image box count",
      missing: "none were looked for"
    ) { $0.view.map { $0.isMasked ? "yes" : "no" } },
    .number(
      "visibility", "area of the mask / area of the true box's outline in the image plane", unit: "share",
      missing: "no true box or mask"
    ) { $0.object.visibility?.share },
    .number(
      "in_image", "share of that outline within the image", unit: "share", missing: "no true box or mask"
    ) { $0.object.visibility?.inImage },
    .integer(
      "visible_faces", "faces of the true box turned to the camera, 0–3", missing: "no true box or mask"
    ) { $0.object.visibility?.faces },
    .number(
      "range_m", "from the camera to the true box's centre", unit: "m", missing: "no true box", \.object.range
    ),
  ]

  /// Why there is no box; of a method that chooses, why it chose so.
  @Sendable private static func reason(_ record: ObjectRecord) -> String? {
    let isChoice = record.fit?.diagnostics.method != record.method
    return record.reason ?? (isChoice ? record.fit?.diagnostics.reason : nil)
  }

  private static func box(
    _ stem: String, _ whose: String, missing: String,
    _ box: @escaping @Sendable (ObjectRecord) -> OrientedBox?
  ) -> [Column<ObjectRecord>] {
    func number(
      _ name: String, _ meaning: String, unit: String = "m",
      _ value: @escaping @Sendable (OrientedBox) -> Double
    ) -> Column<ObjectRecord> {
      .number("\(stem)_\(name)", "\(whose): \(meaning)", unit: unit, missing: missing) { box($0).map(value) }
    }
    return [
      number("x_m", "x of the centre in a y-up world") { $0.center.x },
      number("y_m", "y of the centre in a y-up world") { $0.center.y },
      number("z_m", "z of the centre in a y-up world") { $0.center.z },
      number("length_m", "length along the yaw axis") { $0.size.x },
      number("height_m", "height") { $0.size.y },
      number("width_m", "width") { $0.size.z },
      number("yaw_rad", "yaw θ; the length axis points at (cos θ, 0, sin θ)", unit: "rad") { $0.yaw },
    ]
  }

  private static let errors: [Column<ObjectRecord>] = [
    error("iou") { $0.iou }, error("giou") { $0.generalizedIoU },
    error("center_along_ray_m") { $0.centerAlongRay }, error("center_across_ray_m") { $0.centerAcrossRay },
    side("length") { $0.size.x }, side("height") { $0.size.y }, side("width") { $0.size.z },
    error("yaw_error_deg") { $0.yawDegrees }, error("ate_m") { $0.translation }, error("ase") { $0.scale },
    error("aoe_rad") { $0.orientation },
  ]

  /// A metric of objects, which says itself what it is.
  private static func error(
    _ id: String, _ value: @escaping @Sendable (BoxErrors) -> Double?
  ) -> Column<ObjectRecord> {
    let metric = ObjectMetric.all.first { $0.id == id }
    return .number(id, metric?.formula ?? id, unit: metric?.unit ?? "", missing: noBox) {
      $0.errors.flatMap(value)
    }
  }

  private static func side(
    _ name: String, _ value: @escaping @Sendable (BoxErrors) -> Double
  ) -> Column<ObjectRecord> {
    .number(
      "\(name)_error_m", "\(name) − true \(name), of the nearest of the four equal descriptions", unit: "m",
      missing: noBox
    ) { $0.errors.map(value) }
  }

  private static let footprint: [Column<ObjectRecord>] = [
    .number(
      "eigenvalue_gap", "1 − λ₂/λ₁ of the points' footprint", missing: "the method does not use it"
    ) { $0.fit?.diagnostics.eigenvalueGap },
    .number(
      "yaw_interval_low_rad", "how far below the yaw its 95 % bootstrap interval reaches", unit: "rad",
      missing: "the footprint is not nearly square"
    ) { $0.fit?.diagnostics.yawInterval?.below },
    .number(
      "yaw_interval_high_rad", "how far above the yaw its 95 % bootstrap interval reaches", unit: "rad",
      missing: "the footprint is not nearly square"
    ) { $0.fit?.diagnostics.yawInterval?.above },
  ]

  private static let measured: [Column<ObjectRecord>] = [
    .number(
      "median_depth_m", "median depth of the object", unit: "m", missing: "no depth", \.view?.medianDepth),
    .text("label", "text that the app shows", missing: "no depth") { record in
      record.view.map { view in
        DistanceLabel(label: record.object.label, score: record.object.score, depth: view.medianDepth)
          .distance
      }
    },
    .number(
      "label_error_m", "median depth − that of the true depth at the same pixels", unit: "m",
      missing: "no depth or truth"
    ) { $0.view?.labelError },
    .number(
      "effect_width_m", "clamp(image box width · depth / fx)", unit: "m", missing: "no depth",
      \.view?.effectWidth),
  ]

  private static let placements: [Column<ObjectRecord>] =
    PlacementMethod.all.flatMap { way -> [Column<ObjectRecord>] in
      let stem = "placement_\(way.column)"
      guard way == .box else {
        let formula = ObjectMetric.all.first { $0.id == stem + "_cm" }?.formula ?? way.id
        return [
          .number(stem + "_cm", formula, unit: "cm", missing: "no depth, plane or true box") {
            $0.placement(way)?.total
          }
        ]
      }
      return [
        .number(stem + "_cm", ObjectMetric.placement.formula, unit: "cm", missing: noBox) {
          $0.placement(way)?.total
        },
        .number(stem + "_along_cm", "the same along the ray", unit: "cm", missing: noBox) {
          $0.placement(way)?.alongRay
        },
        .number(stem + "_across_cm", "the same across the ray", unit: "cm", missing: noBox) {
          $0.placement(way)?.acrossRay
        },
      ]
    }
    + PlacementAnchor.allCases.enumerated().map { index, anchor in
      let name = PlacementMethod.hitTest(anchor).column.replacing("hit_test_", with: "")
      return .number(
        "hit_plane_\(name)_y_m",
        "height in the world of the plane that a hit test at \(name) of the image box finds", unit: "m",
        missing: "no plane"
      ) { index < $0.planeHeights.count ? $0.planeHeights[index] : nil }
    }

  // MARK: object_summary.csv

  /// A metric over a group of objects.
  static func summary(_ results: ObjectResults) -> DataTable {
    DataTable.metrics(
      of: "group of objects × depth map × box method × metric",
      [
        .text("by", "what objects are divided by: all, class, range, visibility") { $0.division.rawValue },
        .text("bin", "name of the group; all where they are not divided") { $0.bin },
        .text("depth", "depth map that objects are boxed in: lidar, truth or a fusion method") { $0.depth },
        .text("method", "box method") { $0.method },
        .integer("objects", "detections above the confidence threshold") { $0.objects },
        .integer("boxed", "those that have a box") { $0.boxed },
        .integer("scenes", "scenes with a detection") { $0.scenes },
      ], value: "over a scene's objects as the metric says, then mean over scenes",
      results.groups.flatMap { group in
        zip(ObjectMetric.all, group.values).compactMap { metric, estimate in
          MetricRow(group, metric.id, .all, estimate?.value, estimate?.interval)
        }
      })
  }

  // MARK: detections.csv

  /// Right, wrong and missed detections by class and all together.
  static func detections(_ results: DetectionResults) -> DataTable {
    DataTable.metrics(
      of: "class × metric",
      [
        .text("by", "class, or all for all classes together") { $0.label == nil ? "all" : "class" },
        .text("class", "class that the detector gave", missing: "all classes together") { $0.label },
        .integer("matched", "detections with a true box of their class") { $0.counts.matched },
        .integer("spurious", "detections without") { $0.counts.spurious },
        .integer("missed", "true boxes without a detection") { $0.counts.missed },
        .integer("scenes", "scenes with a detection or a true box") { $0.scenes },
      ], value: "over all detections",
      results.rows.flatMap { row in
        [
          MetricRow(row, MetricMeaning.precision.id, .all, row.counts.precision, row.precisionInterval),
          MetricRow(row, MetricMeaning.recall.id, .all, row.counts.recall, row.recallInterval),
        ].compactMap { $0 }
      })
  }
}
