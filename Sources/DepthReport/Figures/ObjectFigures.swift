import PlainText
import DepthCharts
import DepthCore
import DepthEvaluation
import Statistics

/// Where objects are known: how far effects stand from their place, and how well boxes fit, per depth map.
enum ObjectFigures {
  /// Box methods side by side.
  private static let mostMethods = 4

  static func all(_ results: ObjectResults) -> [Figure?] {
    [
      figure(
        "objects-placement", .placement, results, title: "Where an effect stands, by depth map",
        subject:
          "Distance of an effect from its true place, median over the objects of a scene, mean over scenes",
        axis: ChartAxis("placement error", unit: "cm"), unit: "cm", isLowerBetter: true),
      figure(
        "objects-iou", .iou, results, title: "How well boxes fit, by depth map",
        subject:
          "Overlap of the box with the true one (intersection over union), mean over objects and scenes",
        axis: ChartAxis("IoU, 1 is perfect"), unit: "", isLowerBetter: false),
    ]
  }

  private static func figure(
    _ name: String, _ metric: ObjectMetric, _ results: ObjectResults, title: String, subject: String,
    axis: ChartAxis, unit: String, isLowerBetter: Bool
  ) -> Figure? {
    let depths = results.depths.filter { depth in
      results.groups.contains { $0.division == .all && $0.depth == depth && $0[metric] != nil }
    }
    let methods = shown(metric, results, isLowerBetter: isLowerBetter)
    guard !depths.isEmpty, !methods.isEmpty else { return nil }
    let groups = methods.map { method in
      (method: method, estimates: depths.map { results.overall(depth: $0, method: method)?[metric] })
    }
    let present = groups.flatMap(\.estimates).compactMap(\.self)
    let words = depths.indices.map { depth in
      "\(depths[depth]): "
        + groups.compactMap { group in
          group.estimates[depth].map { estimate in
            let interval = estimate.interval
            return "\(group.method) "
              + Quantity(
                estimate.value, .significant(3, unit: unit), low: interval?.low, high: interval?.high
              ).text
          }
        }.joined(separator: ", ")
    }
    let scenes = present.map(\.scenes).max() ?? 0
    let hasIntervals = present.contains { $0.interval != nil }
    return .chart(
      Chart(
        name, title: title,
        alt: "\(subject), per depth map and box method, "
          + IntervalNotes.chart("means over \(scenes) scenes", scenes: scenes)
          + ". \(isLowerBetter ? "Lower" : "Higher") is better. \(words.joined(separator: "; ")). object_summary.csv holds every box method.",
        x: ChartAxis("depth map"), y: axis,
        series: groups.map { group in
          ChartSeries(
            group.method, x: depths.indices.map(Double.init), y: group.estimates.map { $0?.value },
            low: hasIntervals ? group.estimates.map { $0?.interval?.low } : nil,
            high: hasIntervals ? group.estimates.map { $0?.interval?.high } : nil, style: .points)
        }, categories: depths,
        caption:
          "\(isLowerBetter ? "Lower" : "Higher") is better. Compare box methods within a depth map, and depth maps for one method."
      ))
  }

  /// The method that tables are about, the app's own, and the best of the others by their mean over depth maps.
  private static func shown(
    _ metric: ObjectMetric, _ results: ObjectResults, isLowerBetter: Bool
  ) -> [String] {
    let all = results.plan.boxMethods.compactMap { method -> (method: String, value: Double)? in
      let values = results.depths.compactMap { results.overall(depth: $0, method: method)?[metric]?.value }
      return values.isEmpty ? nil : (method, values.reduce(0, +) / Double(values.count))
    }
    let named = [results.plan.referenceMethod, "pca-xz", "six-point"].filter { name in
      all.contains { $0.method == name }
    }
    let best = all.enumerated().sorted {
      let (a, b) = (
        isLowerBetter ? $0.element.value : -$0.element.value,
        isLowerBetter ? $1.element.value : -$1.element.value
      )
      return (a, $0.offset) < (b, $1.offset)
    }.map(\.element.method)
    return Array((named + best).firstAppearances.prefix(mostMethods))
  }
}
