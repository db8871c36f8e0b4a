import DepthReport
import FathomStatistics
public import FathomDocuments
public import FathomStudies
import FathomRunFolders
public import DepthCharts
public import FathomReplay
import FathomPlainText

/// `report.md` of a replay: the verdict first, then when what happened, and what it costs.
public struct ReplayReport: Sendable {
  /// Name of the data.
  public let title: String
  public let run: ReplayRun, manifest: ReplayManifest
  /// Whether the page shows figures.
  public let drawsFigures: Bool

  public init(title: String, run: ReplayRun, manifest: ReplayManifest, drawsFigures: Bool = true) {
    (self.title, self.run, self.manifest, self.drawsFigures) = (title, run, manifest, drawsFigures)
  }

  public var figures: [Figure] { drawsFigures ? ReplayFigures.all(run) : [] }

  /// Sentences of the verdict.
  public var verdict: [String] {
    ReplayWords(verdict: ReplayVerdict(run), sources: run.sources, leftOut: run.leftOut).sentences
  }

  /// What the pages say.
  public var document: ReportDocument {
    let figures = Dictionary(uniqueKeysWithValues: figures.map { ($0.name, FigureBlock($0)) })
    func figure(_ names: String...) -> [ReportDocument.Block] {
      names.compactMap { figures[$0].map { .figure($0) } }
    }
    return ReportDocument(
      title: "\(title): what latency costs", caveat: caveat,
      sections: [
        .init("findings", "Findings", [.paragraph(settingWords), .list(verdict)]),
        .init(
          "time", "Time",
          figure("timeline") + [.table("times", caption: "Times and motion, all scenes together.", times)]),
      ] + [placement(figure), settings, scenes, method].compactMap(\.self))
  }

  private var caveat: String? {
    manifest.isRepeatable
      ? nil
      : manifest.clock == "wall"
        ? "The stages ran on the wall clock of this machine: other runs give other numbers."
        : "Stage times were measured on this machine: other runs give other numbers."
  }

  private var settingWords: String {
    let setting = run.main.setting
    let pipeline = setting.pipeline
    return
      "A camera of \(Quantity(setting.rate, .significant(4, unit: "Hz")).text) with \(counted(pipeline.pool, "buffer")); an "
      + "analysis holds \(pipeline.held); policy `\(pipeline.policy.rawValue)`; stages "
      + "\(setting.stageWords); a display of "
      + "\(Quantity(pipeline.display, .significant(4, unit: "Hz")).text)."
  }

  private var times: DisplayTable {
    let summary = run.main.summary
    // The tables' lengths are centimetres; a tenth of a millimetre of a placement is not read.
    let rows: [(name: String, spread: Spread?, decimals: Int, scale: Double)] = [
      ("latency, capture to display [ms]", summary.latency, 1, 1), ("age on screen [ms]", summary.age, 1, 1),
      ("motion of the camera [mm]", summary.millimetres, 1, 1),
      ("turn of the camera [°]", summary.degrees, 2, 1),
      ("placement error, display's pose [mm]", summary.displayError, 1, 10),
      ("placement error, frame's pose: depth [mm]", summary.frameError, 1, 10),
      ("placement error, first anchor [mm]", summary.anchorError, 1, 10),
      ("distance from the true box's base [mm]", summary.baseError, 1, 10),
      ("shift by the display's pose [mm]", summary.shift, 1, 10),
    ]
    return DisplayTable(
      columns: [.text(""), .init("mean"), .init("median"), .init("95 %"), .init("99 %"), .init("largest")],
      cells: rows.compactMap { name, spread, decimals, scale in
        spread.map { spread in
          [.init(name)]
            + [spread.mean, spread.median, spread.p95, spread.p99, spread.largest].map {
              .init(Quantity($0 * scale, .decimals(decimals)))
            }
        }
      })
  }

  private func placement(_ figure: (String...) -> [ReportDocument.Block]) -> ReportDocument.Section? {
    let groups = ReplayTables.groups(run)
    guard !groups.isEmpty else { return nil }
    let table = DisplayTable(
      columns: [
        .text("scene"), .text("object"), .init("placements"), .init("range [m]"),
        .init("depth alone [mm]", .lowerIsBetter), .init("display's pose [mm]", .lowerIsBetter),
        .init("first anchor [mm]", .lowerIsBetter), .init("shift [mm]", .lowerIsBetter),
        .init("shift, 95 % [mm]", .lowerIsBetter), .init("from the base [mm]", .lowerIsBetter),
      ],
      cells: groups.prefix(PageLimits.rows).map { group in
        [
          .init(group.scene), .init(group.label ?? "tap in the middle"), .init(count: group.count),
          .init(Quantity(group.range, .decimals(2))),
        ]
          + [
            group.frameError?.median, group.displayError?.median, group.anchorError?.median,
            group.shift.median, group.shift.p95, group.baseError?.median,
          ].map { .init(Quantity($0.map { 10 * $0 }, .decimals(1))) }
      })
    return .init(
      "placement", "Placement",
      [
        .paragraph(
          "An effect is placed where a ray through the object's point meets a horizontal plane, or at the object's median depth where "
            + "it meets none. Errors are distances from where the same ray ends in the true depth, with the frame's pose. With the frame's "
            + "pose only depth is wrong; with the display's pose the camera has moved on; an anchor stays where the object's first "
            + "result put it, and keeps the error of that frame. Beside them: the distance from the middle of the true box's base, "
            + "which a ray misses by half the object, because it meets the near side."),
        .table("objects", caption: "Placement by object: medians.", table),
      ] + figure("error-by-stage-time", "shift-by-speed", "shift-by-turn"))
  }

  private var settings: ReportDocument.Section? {
    guard run.settings.count > 1 else { return nil }
    let hasShift = run.settings.contains { $0.summary.shift != nil }
    let table = DisplayTable(
      columns: [
        .text("policy"), .init("rate [Hz]"), .init("buffers"), .text("stages"), .init("analysed"),
        .init("dropped"), .init("starved"), .init("latency [ms]"), .init("age, mean [ms]"),
        .init("motion [mm]"), .init("turn [°]"),
      ] + (hasShift ? [.init("worse by [mm]")] : []),
      cells: run.settings.prefix(PageLimits.rows).map { row in
        let (setting, summary) = (row.setting, row.summary)
        let cells: [DisplayTable.Cell] = [
          .init(setting.pipeline.policy.rawValue), .init(Quantity(setting.rate, .significant(4))),
          .init(count: setting.pipeline.pool), .init(setting.stageWords), .init(count: summary.analysed),
          .init(count: summary.dropped), .init(count: summary.starved),
          .init(Quantity(summary.latency?.median, .decimals(1))),
          .init(Quantity(summary.age?.mean, .decimals(1))),
          .init(Quantity(summary.millimetres?.median, .decimals(1))),
          .init(Quantity(summary.degrees?.median, .decimals(2))),
        ]
        return cells
          + (hasShift ? [.init(Quantity(summary.worsening.map { 10 * $0.median }, .decimals(1)))] : [])
      })
    return .init(
      "settings", "Settings",
      paragraphs: [
        "Every combination that was tried, medians unless said otherwise; the first is that of this report."
      ], caption: "Every combination that was tried.", table)
  }

  private var scenes: ReportDocument.Section {
    let table = DisplayTable(
      columns: [
        .text("scene"), .init("recorded frames"), .init("seconds"), .init("longest gap [ms]"),
        .text("placed on"), .init("frames"), .init("analysed"), .init("dropped"), .init("starved"),
        .init("latency [ms]"), .init("motion [mm]"), .init("turn [°]"),
      ],
      cells: zip(run.sources, run.main.scenes).prefix(PageLimits.rows).map { source, scene in
        let summary = ReplaySummary([scene])
        return [
          .init(source.name), .init(count: source.frames), .init(Quantity(source.seconds, .decimals(2))),
          .init(Quantity(source.longestGap * 1000, .decimals(1))), .init(Self.words(source)),
          .init(count: summary.offered), .init(count: summary.analysed), .init(count: summary.dropped),
          .init(count: summary.starved), .init(Quantity(summary.latency?.median, .decimals(1))),
          .init(Quantity(summary.millimetres?.median, .decimals(1))),
          .init(Quantity(summary.degrees?.median, .decimals(2))),
        ]
      })
    return .init("scenes", "Scenes", caption: "Scene by scene: medians.", table)
  }

  private static func words(_ source: ReplayRun.Source) -> String {
    guard source.hasPoses else { return "no poses" }
    switch source.targets {
    case .objects: return "objects"
    case .tap: return "a tap in the middle"
    case nil: return "nothing, no LiDAR"
    }
  }

  private var method: ReportDocument.Section {
    .init(
      "method", "How it was done",
      [
        .list(
          [
            "The camera takes its frames on the recording's own time axis. Between recorded frames positions are interpolated in a "
              + "straight line and rotations by slerp; depth and detections are those of the nearest recorded frame, and the delay "
              + "counts from that frame's pose.",
            "A frame takes a buffer; the app keeps those that it analyses until the analysis ends. One frame is analysed at a time. An "
              + "analysis that ends when a frame comes has given its buffers back.",
            "A result is on screen at the first refresh that is not before its end. The age is taken at each refresh.",
            "Medians and percentiles are over all results, or placements, of all scenes alike.",
          ] + (manifest.isRepeatable ? ["Time is virtual: equal data and options give equal bytes."] : [])),
        .list(manifest.inputs.map { "`\($0.file)`, SHA-256 `\($0.sha256)`" }),
        .paragraph(
          "Written by Fathom \(manifest.version), seed \(manifest.seed). `replay.json` holds every option; `settings.csv`, "
            + "`frames.csv`, `placements.csv`, `by-object.csv` and `delay.csv` hold the same numbers in full precision."
        ),
      ])
  }
}
