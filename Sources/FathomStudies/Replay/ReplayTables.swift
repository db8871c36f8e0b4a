import FathomRuns
import FathomRunFolders
public import FathomTables
import DepthCore
public import FathomReplay

/// The CSV files of a replay.
public enum ReplayTables {
  /// File name and content, in the order of the documentation.
  public static func files(_ run: ReplayRun) -> [(name: String, table: DataTable)] {
    [
      ("settings.csv", settings(run)), ("frames.csv", frames(run)), ("placements.csv", placements(run)),
      ("by-object.csv", objects(run)), ("delay.csv", delay(run)),
    ]
  }

  /// A row per setting, the first is that of the report; all scenes together.
  public static func settings(_ run: ReplayRun) -> DataTable {
    DataTable(
      of: "setting", settingColumns + summaryColumns.map { $0.of { (row: ReplayedSetting) in row.summary } },
      run.settings)
  }

  private static let settingColumns: [Column<ReplayedSetting>] = [
    .text(
      "policy", "what becomes of a frame that comes during an analysis: drop, queue or latest",
      \.setting.pipeline.policy.rawValue),
    .number("rate_hz", "frames of the camera per second", unit: "Hz") { $0.setting.rate },
    .integer("pool", "buffers of the camera") { $0.setting.pipeline.pool },
    .integer("held", "buffers that one analysis holds") { $0.setting.pipeline.held },
    .text("stages", "stages of the analysis and their times") { $0.setting.stageWords },
    .number("stage_ms", "mean time of all stages together", unit: "ms") { $0.setting.stages.mean / 1e6 },
    .number("load", "mean time of all stages over the time between two frames") { $0.setting.load },
    .integer(
      "dropped_closed_form", "dropped frames by the closed form: all but every ⌈s/T⌉-th",
      missing: "another policy than drop, drawn times, frames without pose, or too few buffers"
    ) { $0.steadyDrops },
    .integer(
      "buffers_needed", "buffers with which a queue would analyse every frame of these scenes",
      \.buffersNeeded),
  ]

  private static let summaryColumns: [Column<ReplaySummary>] =
    [
      .integer("offered", "frames of the camera") { $0.offered },
      .integer("analysed", "frames that were analysed") { $0.analysed },
      .integer("dropped", "frames that the policy dropped") { $0.dropped },
      .integer("starved", "frames that the pool had no buffer for") { $0.starved },
      .integer("untracked", "frames without a known pose, which the app does not look at") { $0.untracked },
      .integer("longest_starvation", "longest run of frames without a buffer") { $0.longestStarvation },
      .integer("most_held", "most buffers held at once") { $0.mostHeld },
    ] + spread("latency", "time from capture to display", "ms", \.latency)
    + spread("age", "age of the result on screen", "ms", \.age)
    + spread("staleness_mm", "motion of the camera from capture to display", "mm", \.millimetres)
    + spread("staleness_deg", "turn of the camera from capture to display", "degrees", \.degrees)
    + [.integer("placements", "results times objects, or taps, that were placed") { $0.placements }]
    + spread("frame_error", "placement error with the frame's pose: that of depth", "cm", \.frameError)
    + spread("display_error", "placement error with the display's pose", "cm", \.displayError)
    + spread(
      "anchor_error", "placement error of the anchor that the object's first result made", "cm", \.anchorError
    )
    + spread(
      "base_error", "distance of the effect by the frame's pose from the base of the true box", "cm",
      \.baseError) + spread("shift", "how far the display's pose moves the effect", "cm", \.shift)
    + spread(
      "worsening", "what the display's pose adds to the error; the shift without true depth", "cm",
      \.worsening)

  private static func spread(
    _ id: String, _ meaning: String, _ unit: String, _ value: any KeyPath<ReplaySummary, Spread?> & Sendable
  ) -> [Column<ReplaySummary>] {
    let parts: [(String, String, any KeyPath<Spread, Double> & Sendable)] = [
      ("mean", "mean", \.mean), ("median", "median", \.median), ("p95", "95th percentile", \.p95),
      ("p99", "99th percentile", \.p99), ("max", "largest", \.largest),
    ]
    return parts.map { name, words, part in
      .number("\(id)_\(name)", "\(words) of: \(meaning)", unit: unit, missing: "there is none") {
        $0[keyPath: value]?[keyPath: part]
      }
    }
  }

  private struct FrameRow: Sendable {
    var scene: String, frame: ReplayedFrame
    var shown: ReplayedScene.Shown?

    var times: (from: Int, to: Int, shown: Int)? {
      if case .analysed(let from, let to, let shown) = frame.fate { (from, to, shown) } else { nil }
    }
    var word: String {
      switch frame.fate {
      case .analysed: "analysed"
      case .dropped: "dropped"
      case .starved: "starved"
      case .untracked: "untracked"
      }
    }
  }

  /// A row per frame of the camera, in the first setting.
  static func frames(_ run: ReplayRun) -> DataTable {
    let rows = run.main.scenes.flatMap { scene -> [FrameRow] in
      let shown = Dictionary(uniqueKeysWithValues: scene.shown.map { ($0.result.frame, $0) })
      return scene.trace.frames.map { FrameRow(scene: scene.name, frame: $0, shown: shown[$0.index]) }
    }
    let (not, unposed) = ("the frame was not analysed", "not analysed, or no pose is known")
    return DataTable(
      of: "scene × frame of the camera",
      [
        CommonColumn.scene { $0.scene },
        .integer("frame", "number of the camera's frame, from 0") { $0.frame.index },
        .text("fate", "analysed, dropped, starved or untracked") { $0.word },
        .integer(
          "capture_ns", "when it was taken, since the first recorded frame", unit: "ns", \.frame.captured),
        .integer("start_ns", "when its analysis began", unit: "ns", missing: not) { $0.times?.from },
        .integer("end_ns", "when its analysis ended", unit: "ns", missing: not) { $0.times?.to },
        .integer("shown_ns", "when its result was first on screen", unit: "ns", missing: not, \.times?.shown),
        .number(
          "staleness_mm", "motion of the camera from capture to display", unit: "mm", missing: unposed,
          \.shown?.staleness?.millimetres),
        .number(
          "staleness_deg", "turn of the camera from capture to display", unit: "degrees", missing: unposed,
          \.shown?.staleness?.degrees),
      ], rows)
  }

  private struct PlacementRow: Sendable { var scene: String, placement: ReplayedPlacement }

  /// A row per result and object, in the first setting.
  static func placements(_ run: ReplayRun) -> DataTable {
    let rows = run.main.scenes.flatMap { scene in
      scene.placements.map { PlacementRow(scene: scene.name, placement: $0) }
    }
    let unknown = "no true depth"
    func error(_ id: String, _ meaning: String, _ pose: PlacementPose) -> Column<PlacementRow> {
      .number(id, meaning, unit: "cm", missing: unknown) { $0.placement.errors[pose] }
    }
    return DataTable(
      of: "scene × frame of the camera × object",
      [
        CommonColumn.scene { $0.scene },
        .integer("frame", "number of the camera's frame, from 0") { $0.placement.frame },
        .integer(
          "recorded", "recorded frame that was seen, from 0 among those replayed", \.placement.recorded),
        .text("object", "class name", missing: "a tap in the middle of the picture") { $0.placement.label },
        .integer("index", "position in the scene's detections", missing: "a tap") { $0.placement.index },
        .number("latency_ms", "from capture to display", unit: "ms") { $0.placement.latency },
        .number(
          "motion_mm", "motion of the camera in that time", unit: "mm", \.placement.staleness.millimetres),
        .number(
          "turn_deg", "turn of the camera in that time", unit: "degrees", \.placement.staleness.degrees),
        .number("range_m", "from the camera to the effect", unit: "m") { $0.placement.range },
        error("frame_error_cm", "placement error with the frame's pose: that of depth", .frame),
        error("display_error_cm", "placement error with the display's pose", .display),
        error(
          "anchor_error_cm", "placement error of the anchor that the object's first result made", .anchor),
        .number(
          "base_error_cm",
          "distance of the effect by the frame's pose from the middle of the true box's base",
          unit: "cm", missing: "no true box"
        ) { $0.placement.baseError },
        .number("shift_cm", "how far the display's pose moves the effect", unit: "cm") { $0.placement.shift },
      ], rows)
  }

  /// Objects of a class, or taps, of one scene.
  package struct Group: Sendable {
    package var scene: String
    package var label: String?
    package var count: Int, shift: Spread, range: Double
    package var frameError: Spread?, displayError: Spread?, anchorError: Spread?, baseError: Spread?
  }

  /// By scene and class in the order of their appearance, in the first setting.
  package static func groups(_ run: ReplayRun) -> [Group] {
    run.main.scenes.flatMap { scene -> [Group] in
      let labels = scene.placements.map { $0.label ?? "" }.firstAppearances
      let byLabel = Dictionary(grouping: scene.placements) { $0.label ?? "" }
      return labels.compactMap { label in
        guard let placed = byLabel[label], let shift = Spread(placed.map(\.shift)),
          let range = OrderStatistics.median(of: placed.map(\.range))
        else { return nil }
        func error(_ pose: PlacementPose) -> Spread? { Spread(placed.compactMap { $0.errors[pose] }) }
        return Group(
          scene: scene.name, label: label.isEmpty ? nil : label, count: placed.count, shift: shift,
          range: range, frameError: error(.frame), displayError: error(.display), anchorError: error(.anchor),
          baseError: Spread(placed.compactMap(\.baseError)))
      }
    }
  }

  private static func objects(_ run: ReplayRun) -> DataTable {
    let unknown = "no true depth"
    return DataTable(
      of: "scene × class",
      [
        CommonColumn.scene { $0.scene },
        .text("object", "class name", missing: "a tap in the middle of the picture") { $0.label },
        .integer("placements", "results that showed such an object") { $0.count },
        .number("range_m", "median distance from the camera to the effect", unit: "m") { $0.range },
        .number(
          "frame_error_cm", "median placement error with the frame's pose", unit: "cm", missing: unknown,
          \.frameError?.median),
        .number(
          "display_error_cm", "median placement error with the display's pose", unit: "cm", missing: unknown,
          \.displayError?.median),
        .number(
          "anchor_error_cm", "median placement error at the first anchor", unit: "cm", missing: unknown,
          \.anchorError?.median),
        .number(
          "base_error_cm", "median distance of the effect by the frame's pose from the base of the true box",
          unit: "cm", missing: "no true box"
        ) { $0.baseError?.median },
        .number(
          "shift_cm", "median of how far the display's pose moves the effect", unit: "cm", \.shift.median),
        .number("shift_p95_cm", "95th percentile of the same", unit: "cm") { $0.shift.p95 },
      ], groups(run))
  }

  private static func delay(_ run: ReplayRun) -> DataTable {
    DataTable(
      of: "stage time",
      [
        .number("stage_ms", "time of all stages together", unit: "ms") { $0.stage },
        .number("latency_ms", "median time from capture to display that it gives", unit: "ms") { $0.latency },
        .number(
          "worsening_cm", "median of what the display's pose adds to the error", unit: "cm", \.worsening),
        .number(
          "frame_error_cm", "median error with the frame's pose", unit: "cm", missing: "no true depth",
          \.frameError),
        .number(
          "display_error_cm", "median error with the display's pose", unit: "cm", missing: "no true depth",
          \.displayError),
      ], run.curve?.points ?? [])
  }
}

extension ReplaySetting {
  /// "detect 45ms + fuse 1ms".
  package var stageWords: String { stages.map { "\($0.name) \($0.time)" }.joined(separator: " + ") }
}
