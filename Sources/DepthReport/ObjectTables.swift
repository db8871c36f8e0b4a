import DepthCore
import DepthEvaluation
import DepthObjects
import Foundation
import Statistics

/// `objects.csv`: one row per object × depth map × box method.
enum ObjectTables {
  private static let head = [
    "scene", "frame", "object", "class", "score", "depth", "method", "chosen", "status", "reason", "points",
    "masked",
    "visibility", "in_image", "visible_faces", "range_m",
  ]
  private static let measured = ["median_depth_m", "label", "label_error_m", "effect_width_m"]
  private static let errors = [
    "iou", "giou", "center_along_ray_m", "center_across_ray_m", "length_error_m", "height_error_m",
    "width_error_m",
    "yaw_error_deg", "ate_m", "ase", "aoe_rad",
  ]

  static func objects(_ results: ObjectResults) -> DataTable {
    DataTable(
      columns: head + box("box") + box("true") + errors
        + ["eigenvalue_gap", "yaw_interval_low_rad", "yaw_interval_high_rad"] + measured
        + PlacementMethod.all.flatMap { way in
          let stem = "placement_\(way.column)"
          return way == .box ? [stem + "_cm", stem + "_along_cm", stem + "_across_cm"] : [stem + "_cm"]
        } + PlacementAnchor.allCases.map { "hit_plane_\(PlacementMethod.hitTest($0).anchorColumn)_y_m" },
      rows: DataRows(of: results.records, count: results.records.count) { row($0) })
  }

  private static func box(_ stem: String) -> [String] {
    ["_x_m", "_y_m", "_z_m", "_length_m", "_height_m", "_width_m", "_yaw_rad"].map { stem + $0 }
  }

  private static func row(_ record: ObjectRecord) -> [DataTable.Cell] {
    let object = record.object
    var cells: [DataTable.Cell] = [
      .text(object.scene), .text(object.frame), .integer(object.index), .text(object.label),
      // The shortest text that is this Float, not that of the Double beside it.
      .init(object.score.isFinite ? "\(object.score)" : nil), .init(record.depth), .init(record.method),
      .init(record.fit?.diagnostics.method),
      .text(record.status.rawValue), .init(reason(record)),
      .init(record.view?.pointCount), .init(record.view.map { $0.isMasked ? "yes" : "no" }),
      .init(object.visibility?.share), .init(object.visibility?.inImage), .init(object.visibility?.faces),
      .init(object.range),
    ]
    cells += boxCells(record.fit?.box) + boxCells(object.truth) + errorCells(record.errors)
    let diagnostics = record.fit?.diagnostics
    cells += [
      .init(diagnostics?.eigenvalueGap), .init(diagnostics?.yawInterval?.below),
      .init(diagnostics?.yawInterval?.above),
      .init(record.view?.medianDepth), .init(label(record)), .init(record.view?.labelError),
      .init(record.view?.effectWidth),
    ]
    return cells + placementCells(record)
  }

  /// Why there is no box; of a method that chooses, why it chose so.
  private static func reason(_ record: ObjectRecord) -> String? {
    let isChoice = record.fit?.diagnostics.method != record.method
    return record.reason ?? (isChoice ? record.fit?.diagnostics.reason : nil)
  }

  private static func label(_ record: ObjectRecord) -> String? {
    record.view.map { view in
      DistanceLabel(label: record.object.label, score: record.object.score, depth: view.medianDepth).distance
    }
  }

  private static func boxCells(_ box: OrientedBox?) -> [DataTable.Cell] {
    [
      .init(box?.center.x), .init(box?.center.y), .init(box?.center.z), .init(box?.size.x),
      .init(box?.size.y), .init(box?.size.z), .init(box?.yaw),
    ]
  }

  private static func errorCells(_ errors: BoxErrors?) -> [DataTable.Cell] {
    [
      .init(errors?.iou), .init(errors?.generalizedIoU), .init(errors?.centerAlongRay),
      .init(errors?.centerAcrossRay), .init(errors?.size.x), .init(errors?.size.y), .init(errors?.size.z),
      .init(errors?.yawDegrees), .init(errors?.translation), .init(errors?.scale), .init(errors?.orientation),
    ]
  }

  private static func placementCells(_ record: ObjectRecord) -> [DataTable.Cell] {
    PlacementMethod.all.flatMap { way -> [DataTable.Cell] in
      let error = record.placement(way)
      return way == .box
        ? [.init(error?.total), .init(error?.alongRay), .init(error?.acrossRay)] : [.init(error?.total)]
    }
      + PlacementAnchor.allCases.indices.map { index in
        .init(index < record.planeHeights.count ? record.planeHeights[index] : nil)
      }
  }

  /// `object_summary.csv`: groups of objects with intervals over scenes.
  static func summary(_ results: ObjectResults) -> DataTable {
    DataTable(
      columns: ["by", "bin", "depth", "method", "objects", "boxed", "scenes"]
        + ObjectMetric.all.flatMap { [$0.id, $0.id + "_low", $0.id + "_high"] },
      rows: results.groups.map { group in
        [
          .text(group.division.rawValue), .text(group.bin), .text(group.depth), .text(group.method),
          .integer(group.objects), .integer(group.boxed), .integer(group.scenes),
        ]
          + group.values.flatMap { estimate -> [DataTable.Cell] in
            [.init(estimate?.value), .init(estimate?.interval?.low), .init(estimate?.interval?.high)]
          }
      })
  }

  /// `detections.csv`: right, wrong and missed detections by class and all together.
  static func detections(_ results: DetectionResults) -> DataTable {
    DataTable(
      columns: [
        "by", "class", "matched", "spurious", "missed", "scenes", "precision", "precision_low",
        "precision_high",
        "recall", "recall_low", "recall_high",
      ],
      rows: results.rows.map { row in
        [
          .text(row.label == nil ? "all" : "class"), .init(row.label), .integer(row.counts.matched),
          .integer(row.counts.spurious), .integer(row.counts.missed), .integer(row.scenes),
          .init(row.counts.precision), .init(row.precisionInterval?.low), .init(row.precisionInterval?.high),
          .init(row.counts.recall), .init(row.recallInterval?.low), .init(row.recallInterval?.high),
        ]
      })
  }
}

extension PlacementMethod {
  fileprivate var anchorColumn: String { column.replacing("hit_test_", with: "") }
}
