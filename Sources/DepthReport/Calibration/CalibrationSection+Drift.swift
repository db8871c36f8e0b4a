public import DepthCalibration
import DepthCharts
import DepthCore
import DepthEvaluation

extension CalibrationSection {
  /// The unit of the network, frame by frame, with `drift.csv` and `scales.csv`.
  public static func drift(_ scenes: [ScaleDrift]) -> CalibrationSection {
    var section = CalibrationSection("Drift and flicker of the network's unit")
    section.files = [("drift.csv", table(scenes)), ("scales.csv", frames(scenes))]
    guard !scenes.isEmpty else {
      section.sentences = ["No scene has a relative map."]
      return section
    }
    section.findings = [sentence(scenes)]
    section.sentences = section.findings
    section.tables = [
      Table(
        DisplayTable(
          columns: [
            .init("scene", numeric: false), .init("frames"), .init("largest / smallest α"),
            .init("drift of ln α"),
            .init("flicker"), .init("maximum", numeric: false), .init("r(ln α, ln max)"),
            .init("r(ln α, ln nearest)"),
          ],
          rows: scenes.map { scene in
            let unit = scene.isPerSecond ? " %/s" : " %/frame"
            return [
              scene.scene, "\(scene.fitted)",
              scene.scales.map { Rounded.fixed($0.high / $0.low, decimals: 3) } ?? "–",
              scene.drift.map {
                Rounded.fixed($0 * 100, decimals: 2) + unit + " " + range(scene.interval, 100, 2)
              } ?? "–",
              Rounded.percent(scene.flicker), scene.isNormalised ? "the same in every frame" : "varies",
              scene.correlationWithMaximum.map { Rounded.fixed($0, decimals: 2) } ?? "–",
              scene.correlationWithNearest.map { Rounded.fixed($0, decimals: 2) } ?? "–",
            ]
          }))
    ]
    section.notes = [
      "α of 1/d = α·r + β (d = α·r + β for depth maps), Huber's estimator, frame by frame. Drift: slope of ln α over time, its interval by "
        + "Newey & West, **valid within that scene only**. Flicker: 1.4826 times the median absolute deviation of the changes of ln α from one frame to "
        + "the next. Nearest: where the nearest half percent of the LiDAR begins.",
      "A fit per frame, as all of Fathom's methods make, takes all of this out; a scale that an app keeps from an earlier frame is wrong by it.",
    ]
    section.figures = figure(scenes).map { [$0] } ?? []
    return section
  }

  /// Correlation from which on one is said to fall as the other rises.
  private static let falls = -0.7

  private static func sentence(_ scenes: [ScaleDrift]) -> String {
    let flickers = scenes.compactMap(\.flicker)
    let typical = OrderStatistics.median(of: flickers)
    let drifting = scenes.filter { $0.interval.map { !$0.contains(0) } ?? false }
    var text =
      typical.map {
        "The network's unit changes by \(Rounded.percent($0)) from frame to frame (median over \(flickers.count) scenes)"
      }
      ?? "Too few successive frames to say how the network's unit changes"
    if scenes.contains(where: { $0.drift != nil }) {
      text += "; it drifts in \(drifting.count) of \(scenes.count { $0.drift != nil }) scenes"
    }
    let normalised = scenes.filter(\.isNormalised)
    if !normalised.isEmpty {
      let following = normalised.filter { ($0.correlationWithNearest ?? 0) <= falls }
      text +=
        ". In \(normalised.count) of \(scenes.count) scenes every frame has the same maximum, as maps that were divided by theirs; in \(following.count) of these "
        + "α rises as something comes nearer (r ≤ \(falls))"
    }
    let varying = scenes.filter { $0.correlationWithMaximum != nil }
    if !varying.isEmpty {
      let following = varying.filter { ($0.correlationWithMaximum ?? 0) <= falls }
      text +=
        ". In \(following.count) of \(varying.count) scenes whose maximum varies α falls as it rises (r ≤ \(falls)): "
        + "the unit of the whole map changes"
    }
    return text + "."
  }

  private static func table(_ scenes: [ScaleDrift]) -> DataTable {
    DataTable(
      columns: [
        "scene", "kind", "frames", "frames_fitted", "scale_low", "scale_high", "drift", "drift_unit",
        "within_scene_drift_low", "within_scene_drift_high", "flicker", "same_maximum", "correlation_maximum",
        "correlation_nearest",
      ],
      rows: scenes.map { scene in
        [
          .text(scene.scene), .text(scene.kind.rawValue), .integer(scene.frames), .integer(scene.fitted),
          .init(scene.scales?.low), .init(scene.scales?.high), .init(scene.drift),
          .text(scene.isPerSecond ? "1/s" : "1/frame"), .init(scene.interval?.low),
          .init(scene.interval?.high),
          .init(scene.flicker), .text(scene.isNormalised ? "yes" : "no"), .init(scene.correlationWithMaximum),
          .init(scene.correlationWithNearest),
        ]
      })
  }

  private static func frames(_ scenes: [ScaleDrift]) -> DataTable {
    DataTable(
      columns: ["scene", "frame", "time_s", "scale", "shift", "maximum", "nearest_m"],
      rows: scenes.flatMap { scene in
        scene.scale.map { frame in
          [
            .text(scene.scene), .integer(frame.index), .init(frame.seconds), .init(frame.scale),
            .init(frame.shift), .number(frame.maximum), .init(frame.nearest),
          ]
        }
      })
  }

  private static func figure(_ scenes: [ScaleDrift]) -> Figure? {
    let shown = scenes.filter { $0.fitted >= 2 }.prefix(8)
    guard !shown.isEmpty else { return nil }
    let series = shown.map { scene -> ChartSeries in
      let usable = scene.scale.filter { ($0.scale ?? 0) > 0 }
      let middle = OrderStatistics.median(of: usable.compactMap(\.scale)) ?? 1
      return ChartSeries(
        scene.scene, x: usable.map { Double($0.index) }, y: usable.map { $0.scale.map { $0 / middle } })
    }
    return .chart(
      Chart(
        "scale-by-frame", title: "Scale of the network by frame",
        alt:
          "Scale of each frame's relative map divided by the scene's median, a line per scene; flat is a stable unit.",
        x: ChartAxis("frame"), y: ChartAxis("scale / median of the scene", isLogarithmic: true),
        series: series))
  }
}
