import DepthCharts
import DepthEvaluation
import DepthVerdicts
import FathomPlainText
import FathomStatistics

/// Where objects are known: how far effects stand from their place, and how well boxes fit, per depth map.
enum ObjectFigures {
  /// - Parameter results: And `verdict`: nil where the data have no objects.
  static func all(_ results: ObjectResults?, _ verdict: ObjectVerdict?, _ units: LengthUnit) -> [Figure?] {
    guard let results, let verdict else { return [] }
    return [
      figure(
        "objects-placement", .placement, results, verdict, units,
        title: "Where an effect stands, by depth map",
        subject:
          "Distance of an effect from its true place, median over the objects of a scene, mean over scenes",
        axis: "placement error"),
      figure(
        "objects-iou", .iou, results, verdict, units, title: "How well boxes fit, by depth map",
        subject:
          "Overlap of the box with the true one (intersection over union), mean over objects and scenes",
        axis: "IoU, 1 is perfect"),
    ]
  }

  private static func figure(
    _ name: String, _ metric: ObjectMetric, _ results: ObjectResults, _ verdict: ObjectVerdict,
    _ units: LengthUnit, title: String, subject: String, axis: String
  ) -> Figure? {
    let depths = results.depths.filter { depth in
      results.groups.contains { $0.division == .all && $0.depth == depth && $0[metric] != nil }
    }
    let methods = verdict.charted[metric.id] ?? []
    guard !depths.isEmpty, !methods.isEmpty else { return nil }
    let groups = methods.map { method in
      (method: method, estimates: depths.map { results.overall(depth: $0, method: method)?[metric] })
    }
    let display = units.display(metric)
    let present = groups.flatMap(\.estimates).compactMap(\.self)
    let words = depths.indices.map { depth in
      "\(depths[depth]): "
        + groups.compactMap { group in
          group.estimates[depth].map { estimate in
            let interval = estimate.interval
            return "\(group.method) "
              + Quantity(
                estimate.value, .supported(times: display.scale, unit: display.symbol ?? ""),
                low: interval?.low, high: interval?.high
              ).text
          }
        }.joined(separator: ", ")
    }
    let scenes = present.map(\.scenes).max() ?? 0
    let hasIntervals = present.contains { $0.interval != nil }
    let better = metric.direction == .higherIsBetter ? "Higher" : "Lower"
    func shown(_ value: Double?) -> Double? { value.map { $0 * display.scale } }
    return .chart(
      Chart(
        name, title: title,
        alt: "\(subject), per depth map and box method, "
          + IntervalNotes.chart("means over \(scenes) scenes", scenes: scenes)
          + ". \(better) is better. \(words.joined(separator: "; ")). object_summary.csv holds every box method.",
        x: ChartAxis("depth map"), y: ChartAxis(axis, unit: display.symbol),
        series: groups.map { group in
          ChartSeries(
            group.method, x: depths.indices.map(Double.init), y: group.estimates.map { shown($0?.value) },
            low: hasIntervals ? group.estimates.map { shown($0?.interval?.low) } : nil,
            high: hasIntervals ? group.estimates.map { shown($0?.interval?.high) } : nil, style: .points)
        }, categories: depths,
        caption: "\(better) is better. Compare box methods within a depth map, and depth maps for one method."
      ))
  }
}
