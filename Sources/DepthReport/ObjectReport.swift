import FathomStatistics
import FathomDocuments
import FathomPlainText
import DepthEvaluation
import DepthObjects
import DepthVerdicts
import Foundation

/// The section "Objects" of the report.
struct ObjectReport {
  let results: ObjectResults
  var units = LengthUnit.millimetres
  var unsureScenes: [String] = []  // Scenes without a confidence map.

  /// Under the findings of the section: what its numbers are.
  var notes: [String] {
    var defaults = ObjectPlan()
    defaults.depths = results.plan.depths
    let sampling =
      switch results.plan.sampling {
      case .confident:
        "Every depth map is looked at where the LiDAR's return is confident enough, so that maps differ in depth alone"
      case .lidar:
        "Every depth map is looked at at the LiDAR's pixels, the LiDAR where it is confident enough"
      case .map: "Every depth map is looked at at its own pixels, the LiDAR where it is confident enough"
      }
    guard !results.records.isEmpty else { return [] }
    var notes = [
      "\(sampling) (`\(flag: "object-sampling")`). Values are medians (IoU: means) over the objects of a scene, then means over scenes; "
        + "brackets are 95 % intervals over scenes, because the objects and frames of a scene are not independent. Fewer than "
        + "\(ComparisonVerdict.fewestForInterval) scenes have none."
    ]
    if !unsureScenes.isEmpty {
      notes.append(
        "Without a confidence map, every pixel counts as confident: \(PageLimits.listed(unsureScenes.map(\.literal)))."
      )
    }
    notes += OptionDifferences.list(results.plan, defaults: defaults).map {
      "Options for objects that differ from the defaults: \($0)."
    }
    return notes
  }

  /// The tables that have something to show.
  var sections: [ReportDocument.Section] {
    [
      byDepth, byMethod, division(.label, "By class"),
      division(.range, "By distance to the true box's centre"),
    ].compactMap { $0 }
      + [visibility, placements, detections, failures, boxMethods, definitions].compactMap { $0 }
  }

  private func section(
    _ id: String, _ title: String, role: TableBlock.Role = .result, _ table: DisplayTable, note: String? = nil
  ) -> ReportDocument.Section {
    .init(id, title, caption: "Objects: \(title).", role: role, table, notes: note.map { [$0] } ?? [])
  }

  private var boxMethods: ReportDocument.Section? {
    guard !results.records.isEmpty else { return nil }
    let used = BoxMethod.all.filter { results.plan.boxMethods.contains($0.id) }
    return section(
      "box-method-definitions", "Box methods", role: .reference,
      DisplayTable(
        columns: ["box method", "what", "points", "source"].map { .text($0) },
        rows: used.map { [$0.id, $0.title, points($0.selection(under: results.plan.boxes)), $0.source] }))
  }

  /// Which points of an object a method takes.
  private func points(_ selection: PointSelection) -> String {
    let (low, high) = (selection.lowestDepthShare, selection.highestDepthShare)
    func percentile(_ share: Double) -> String { String(format: "%.4g", share * 100) }
    let depths =
      low <= 0 && high >= 1
      ? "all depths" : "percentiles \(percentile(low)) to \(percentile(high)) of the depth"
    return (selection.erosion == .none ? "the whole mask, " : "the eroded mask, ") + depths
  }

  private var definitions: ReportDocument.Section? {
    guard !results.records.isEmpty else { return nil }
    return section(
      "object-columns", "Columns of `object_summary.csv`", role: .reference,
      DisplayTable(
        columns: ["column", "over a scene's objects", "definition"].map { .text($0) },
        rows: ObjectMetric.all.map { [$0.id, $0.centre.rawValue, $0.formula] }))
  }

  private var method: String { results.plan.referenceMethod }
  private var columns: [ObjectMetric] { [.placement, .iou, .sizeError, .yawError, .labelError] }

  /// A map without a single box stands in the first and the last table only.
  private func isBoxed(_ depth: String) -> Bool {
    results.groups.contains { $0.division == .all && $0.depth == depth && $0.boxed > 0 }
  }

  private var byDepth: ReportDocument.Section? {
    let groups = results.depths.compactMap { results.overall(depth: $0, method: method) }
    guard !groups.isEmpty else { return nil }
    return section(
      "objects-by-depth", "By depth map, boxed by `\(method)`",
      table(["depth map"], groups) { [$0.depth] },
      note: isBoxed(ObjectPlan.truth) ? "Labels are compared with the label from the true depth." : nil)
  }

  private var byMethod: ReportDocument.Section? {
    let groups = results.groups.filter { $0.division == .all && isBoxed($0.depth) }
    guard !groups.isEmpty, results.plan.boxMethods.count > 1 else { return nil }
    return section(
      "objects-by-method", "By box method",
      table(["depth map", "box method"], groups) { [$0.depth, $0.method] },
      note: "The label does not depend on the box, but on which points its method takes.")
  }

  private func division(
    _ division: ObjectDivision, _ title: String, note: String? = nil
  ) -> ReportDocument.Section? {
    let groups = results.groups.filter { $0.division == division && isBoxed($0.depth) }
    guard !groups.isEmpty else { return nil }
    return section(
      "objects-by-\(division.rawValue)", title + ", boxed by `\(method)`",
      table([division.rawValue, "depth map"], groups) { [$0.bin, $0.depth] }, note: note)
  }

  private var visibility: ReportDocument.Section? {
    division(
      .visibility, "By visibility",
      note:
        "Visibility is the area of the mask over that of the whole true box's outline in the image plane, also where "
        + "that lies beyond the image. Few objects fill their boxes: half of it counts as full.")
  }

  private var placements: ReportDocument.Section? {
    let metrics = [ObjectMetric.placement] + ObjectMetric.otherPlacements
    let groups = results.depths.compactMap { results.overall(depth: $0, method: method) }
      .filter { group in metrics.contains { group[$0] != nil } }
    guard !groups.isEmpty else { return nil }
    return section(
      "placements", "Ways to place an effect",
      DisplayTable(
        columns: [.text("depth map"), .text("way")]
          + [column(.placement, named: "error"), .init("placed"), .init("of")],
        cells: groups.flatMap { group in
          zip(PlacementMethod.all, metrics).map { way, metric in
            [
              .init(group.depth), .init(way.id), cell(group, metric),
              .init(count: group[metric]?.objects ?? 0), .init(count: group.known),
            ]
          }
        }),
      note: "Distance from where the true box puts the effect, over the objects that got a place. "
        + "`box`: on the box of `\(method)`; `depth`: the ray through the middle or the lowest edge's middle of the image box, at the "
        + "object's median depth; `hit-test`: the same rays against the horizontal planes of the frame.")
  }

  private var detections: ReportDocument.Section? {
    guard let detection = results.detection else { return nil }
    return section(
      "detections", "Detections",
      DisplayTable(
        columns: [.text("class")] + ["right", "wrong", "missed", "scenes"].map { .init($0) }
          + ["precision [%]", "recall [%]"].map { .init($0, .higherIsBetter) },
        cells: detection.rows.map { row in
          [
            .init(row.label ?? "all"), .init(count: row.counts.matched), .init(count: row.counts.spurious),
            .init(count: row.counts.missed), .init(count: row.scenes),
            .init(row.counts.precision, .percent, interval: row.precisionInterval),
            .init(row.counts.recall, .percent, interval: row.recallInterval),
          ]
        }),
      note:
        "A true box counts whole, also what something hides, so that the box of what is seen of it may overlap too little. "
        + "Objects that the data do not name are unknown; a detection without true box counts as wrong.")
  }

  private var failures: ReportDocument.Section? {
    guard !results.failures.isEmpty else { return nil }
    return section(
      "objects-without-box", "Objects without a box",
      DisplayTable(
        columns: ["depth map", "reason"].map { .text($0) } + [.init("objects")]
          + ["box methods", "for example"].map { .text($0) },
        rows: results.failures.map { failure in
          let (counts, methods) = methods(failure)
          let (example, object) = (failure.example, failure.example.object)
          return [
            failure.depth ?? "–", failure.status.words, counts, failure.depth == nil ? "–" : methods,
            "\(object.scene)/\(object.frame), \(object.label): \(example.reason ?? "")",
          ]
        }))
  }

  /// How many objects each method failed on, "8–21", and which methods those are.
  private func methods(_ failure: ObjectFailure) -> (counts: String, names: String) {
    let counts = failure.methods
    let (least, most) = (counts.values.min() ?? 0, counts.values.max() ?? 0)
    let names = results.plan.boxMethods.filter { counts[$0] != nil }
    let isAll = names.isEmpty || names.count == results.plan.boxMethods.count
    return (least == most ? "\(least)" : "\(least)–\(most)", isAll ? "all" : names.joined(separator: ", "))
  }

  private func table(
    _ heads: [String], _ groups: [ObjectGroup], _ names: (ObjectGroup) -> [String]
  ) -> DisplayTable {
    DisplayTable(
      columns: heads.map { .text($0) } + [.init("objects"), .init("boxed"), .init("scenes")]
        + columns.map { column($0) },
      cells: groups.map { group in
        names(group).map { .init($0) } + [group.objects, group.boxed, group.scenes].map { .init(count: $0) }
          + columns.map { cell(group, $0) }
      })
  }

  /// "placement [mm] ↓"
  private func column(_ metric: ObjectMetric, named name: String? = nil) -> DisplayTable.Column {
    let display = units.display(metric)
    var head = DisplayTable.Column(
      (name ?? metric.name) + (display.symbol.map { " [\($0)]" } ?? ""), metric.direction)
    head.source = .init(column: metric.id, scale: display.scale)
    return head
  }

  private func cell(_ group: ObjectGroup, _ metric: ObjectMetric) -> DisplayTable.Cell {
    .init(group[metric]?.value, units.display(metric), interval: group[metric]?.interval)
  }
}
