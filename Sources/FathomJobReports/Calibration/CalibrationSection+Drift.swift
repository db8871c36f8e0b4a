import DepthReport
import FathomDocuments
import FathomRunFolders
import FathomTables
import FathomPlainText
public import DepthCalibration
import DepthCharts
import DepthCore
import DepthEvaluation

extension CalibrationSection {
  /// The unit of the network, frame by frame, with `drift.csv` and `scales.csv`.
  public static func drift(_ scenes: [ScaleDrift], _ found: CalibrationVerdict) -> CalibrationSection {
    var section = CalibrationSection("Drift and flicker of the network's unit")
    section.files = [("drift.csv", table(scenes)), ("scales.csv", frames(scenes))]
    guard let drift = found.drift else {
      section.sentences = ["No scene has a relative map."]
      return section
    }
    section.findings = [sentence(drift)]
    section.sentences = section.findings
    section.tables = [
      Table(
        DisplayTable(
          columns: [
            .text("scene"), .init("frames"), .init("largest / smallest α"), .init("drift of ln α"),
            .init("flicker"), .text("maximum"), .init("r(ln α, ln max)"), .init("r(ln α, ln nearest)"),
          ],
          cells: scenes.map { scene in
            let unit = scene.isPerSecond ? "%/s" : "%/frame"
            return [
              .init(scene.scene), .init(count: scene.fitted),
              .init(Quantity(scene.scales.map { $0.high / $0.low }, .decimals(3))),
              .init(
                Quantity(
                  scene.drift, .decimals(2, times: 100, unit: unit), low: scene.interval?.low,
                  high: scene.interval?.high)), .init(Quantity(scene.flicker, .percent())),
              .init(scene.isNormalised ? "the same in every frame" : "varies"),
              .init(Quantity(scene.correlationWithMaximum, .decimals(2))),
              .init(Quantity(scene.correlationWithNearest, .decimals(2))),
            ]
          }))
    ]
    section.notes = [
      "α of 1/d = α·r + β (d = α·r + β for depth maps), Huber's estimator, frame by frame. Drift: slope of ln α over time, its interval by "
        + "Newey & West, **valid within that scene only**. Flicker: 1.4826 times the median absolute deviation of the changes of ln α from one frame to "
        + "the next. Nearest: where the nearest half percent of the LiDAR begins.",
      "A fit per frame, as in all of Fathom's methods, removes this change; a scale that an app keeps from an earlier frame is wrong by it.",
    ]
    section.figures = figure(scenes).map { [.chart($0)] } ?? []
    return section
  }

  private static func sentence(_ found: UnitDrift) -> String {
    var text =
      found.flicker.map {
        "The network's unit changes by \(Quantity($0, .percent()).text) from frame to frame (median over \(found.scenesWithFlicker) scenes)"
      } ?? "Too few successive frames to say how the network's unit changes"
    if found.scenesWithDrift > 0 {
      text += "; it drifts in \(found.drifting) of \(found.scenesWithDrift) scenes"
    }
    if found.normalised > 0 {
      text +=
        ". In \(found.normalised) of \(found.scenes) scenes every frame has the same maximum, as if each map was divided by its own; in \(found.followingNearest) of these "
        + "α rises as something comes nearer (r ≤ \(UnitDrift.falls))"
    }
    if found.varying > 0 {
      text +=
        ". In \(found.followingMaximum) of \(found.varying) scenes whose maximum varies α falls as it rises (r ≤ \(UnitDrift.falls)): "
        + "the unit of the whole map changes"
    }
    return text + "."
  }

  private static func table(_ scenes: [ScaleDrift]) -> DataTable {
    let few = "too few frames"
    return DataTable(
      of: "scene",
      [
        CommonColumn.scene { $0.scene },
        .text("kind", "what relative values mean: disparity or depth") { $0.kind.rawValue },
        .integer("frames", "frames with a relative map") { $0.frames },
        .integer("frames_fitted", "those whose scale has the sign that the kind asks for") { $0.fitted },
        .number("scale_low", "smallest scale of a frame", missing: "no frame was fitted") { $0.scales?.low },
        .number("scale_high", "largest scale of a frame", missing: "no frame was fitted", \.scales?.high),
        .number("drift", "slope of the logarithm of the scale over time", missing: few) { $0.drift },
        .text("drift_unit", "1/s, or 1/frame where the scene has no times") {
          $0.isPerSecond ? "1/s" : "1/frame"
        },
        .number(
          "within_scene_drift_low", "lower end of its 95 % interval within the scene", missing: few,
          \.interval?.low),
        .number("within_scene_drift_high", "upper end of it", missing: few) { $0.interval?.high },
        .number(
          "flicker", "1.4826 · median |Δ − median Δ| of the changes of the logarithm between frames",
          missing: few
        ) { $0.flicker },
        .text("same_maximum", "yes where every map has the same maximum: each was divided by its own") {
          $0.isNormalised ? "yes" : "no"
        },
        .number(
          "correlation_maximum", "of the logarithms of scale and maximum",
          missing: "too few frames, or the same maximum"
        ) { $0.correlationWithMaximum },
        .number(
          "correlation_nearest", "of the logarithms of scale and nearest depth", missing: few
        ) { $0.correlationWithNearest },
      ], scenes)
  }

  private static func frames(_ scenes: [ScaleDrift]) -> DataTable {
    struct Row: Sendable { let scene: String, frame: FrameScale }
    return DataTable(
      of: "frame",
      [
        CommonColumn.scene { $0.scene },
        .integer("frame", "position in the scene, from 0") { $0.frame.index },
        .number(
          "time_s", "seconds since any origin", unit: "s", missing: "the scene has no times", \.frame.seconds),
        .number(
          "scale", "α of 1/d = α·r + β, of d = α·r + β for a depth map", missing: "nothing could be fitted"
        ) { $0.frame.scale },
        .number("shift", "β of it", missing: "nothing could be fitted") { $0.frame.shift },
        .number("maximum", "largest finite value of the relative map") { $0.frame.maximum },
        .number(
          "nearest_m", "the nearest half percent of the LiDAR begins here", unit: "m", missing: "no return"
        ) { $0.frame.nearest },
      ], scenes.flatMap { scene in scene.scale.map { Row(scene: scene.scene, frame: $0) } })
  }

  private static func figure(_ scenes: [ScaleDrift]) -> Chart? {
    let shown = scenes.filter { $0.fitted >= 2 }.prefix(8)
    guard !shown.isEmpty else { return nil }
    let series = shown.map { scene -> ChartSeries in
      let usable = scene.scale.filter { ($0.scale ?? 0) > 0 }
      let middle = OrderStatistics.median(of: usable.compactMap(\.scale)) ?? 1
      return ChartSeries(
        scene.scene, x: usable.map { Double($0.index) }, y: usable.map { $0.scale.map { $0 / middle } })
    }
    return Chart(
      "scale-by-frame", title: "Scale of the network by frame",
      what:
        "Scale of each frame's relative map divided by the scene's median, a line per scene; flat is a stable unit",
      caption: "Flat is a stable unit. If a line jumps, a scale from one frame is not valid for the next.",
      x: ChartAxis("frame"), y: ChartAxis("scale / median of the scene", isLogarithmic: true), series: series)
  }
}
