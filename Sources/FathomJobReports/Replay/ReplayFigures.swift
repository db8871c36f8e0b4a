import DepthReport
import DepthCharts
import DepthCore
import FathomReplay

/// The pictures of a replay's report.
enum ReplayFigures {
  static func all(_ run: ReplayRun) -> [Figure] {
    [
      timeline(run), delay(run), speed(run, "shift-by-speed", "speed of the camera", "m/s", \.speed),
      speed(run, "shift-by-turn", "turn of the camera", "°/s", \.turnRate),
    ].compactMap { $0.map(Figure.chart) }
  }

  /// Time that the timeline shows, and frames at most: more cannot be distinguished.
  private static let (shownNanoseconds, shownFrames) = (500_000_000, 40)

  /// Frame by frame: when it was taken, analysed, and shown.
  private static func timeline(_ run: ReplayRun) -> Chart? {
    guard let frames = run.main.scenes.first?.trace.frames else { return nil }
    let shown = frames.prefix(shownFrames).filter { $0.captured <= shownNanoseconds }
    func points(_ name: String, _ time: (ReplayedFrame) -> Int?) -> ChartSeries? {
      let found = shown.compactMap { frame in time(frame).map { (Double($0) / 1e6, Double(frame.index)) } }
      return found.isEmpty ? nil : ChartSeries(name, x: found.map(\.0), y: found.map(\.1), style: .points)
    }
    var (x, y): ([Double], [Double?]) = ([], [])
    for frame in shown {
      guard case .analysed(let from, let to, _) = frame.fate else { continue }
      let number = Double(frame.index)
      x += [Double(from) / 1e6, Double(to) / 1e6, Double(to) / 1e6]
      y += [number, number, nil]
    }
    let series = [
      x.isEmpty ? nil : ChartSeries("analysis", x: x, y: y, style: .line),
      points("captured and analysed") {
        if case .analysed = $0.fate { $0.captured } else { nil }
      },
      points("on screen") { if case .analysed(_, _, let shown) = $0.fate { shown } else { nil } },
      points("dropped") { $0.fate == .dropped ? $0.captured : nil },
      points("no buffer") { $0.fate == .starved ? $0.captured : nil },
      points("no pose") { $0.fate == .untracked ? $0.captured : nil },
    ].compactMap { $0 }
    return Chart(
      "timeline", title: "The first frames of the camera",
      alt:
        "Each frame of the camera in a row of its own over time: its capture, its analysis as a line, its result on screen; frames that were dropped, and those without a buffer. \(fates(Array(shown))).",
      x: ChartAxis("time", unit: "ms"), y: ChartAxis("frame of the camera"), series: series,
      caption:
        "One row is one frame, from the left: taken, analysed, shown. The longer a row, the older what is on screen."
    )
  }

  /// "12 analysed, 18 dropped"
  private static func fates(_ frames: [ReplayedFrame]) -> String {
    func count(_ fate: FrameFate) -> Int { frames.count { $0.fate == fate } }
    let (dropped, starved, untracked) = (count(.dropped), count(.starved), count(.untracked))
    return [
      (frames.count - dropped - starved - untracked, "analysed"), (dropped, "dropped"),
      (starved, "without a buffer"), (untracked, "without a pose"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// Error, or shift, by stage time.
  private static func delay(_ run: ReplayRun) -> Chart? {
    guard let points = run.curve?.points else { return nil }
    let x = points.map(\.stage)
    func shown(_ centimetres: Double?) -> Double? { centimetres.map { 10 * $0 } }
    let hasTruth = points.contains { $0.frameError != nil }
    let series =
      hasTruth
      ? [
        ChartSeries("pose of the display", x: x, y: points.map { shown($0.displayError) }, style: .steps),
        ChartSeries(
          "pose of the frame: depth alone", x: x, y: points.map { shown($0.frameError) }, style: .steps),
        ChartSeries(
          "what the display's pose adds", x: x, y: points.map { shown($0.worsening) }, style: .steps),
      ]
      : [
        ChartSeries("shift by the display's pose", x: x, y: points.map { shown($0.worsening) }, style: .steps)
      ]
    let stage = run.main.setting.stages.mean / 1e6
    return Chart(
      "error-by-stage-time", title: "Placement error by how long the analysis takes",
      what: "Median placement error over the time of all stages together",
      caption:
        "What lies above the line of depth alone is the price of latency. It grows with the time of the stages.",
      x: ChartAxis("time of all stages", unit: "ms"),
      y: ChartAxis(hasTruth ? "placement error" : "shift", unit: "mm"), series: series,
      marks: stage <= x.last ?? 0 ? [ChartMark(x: stage, label: "this analysis")] : [])
  }

  private static let speedBins = 8  // Bins of equal numbers of placements.

  private static func speed(
    _ run: ReplayRun, _ name: String, _ quantity: String, _ unit: String,
    _ value: (ReplayedPlacement) -> Double
  ) -> Chart? {
    let placed = run.main.scenes.flatMap(\.placements).map { (speed: value($0), shift: $0.shift) }
      .sorted { ($0.speed, $0.shift) < ($1.speed, $1.shift) }
    let bins = min(speedBins, placed.count / 4)
    guard bins > 1 else { return nil }
    let parts = (0..<bins).map {
      Array(placed[($0 * placed.count / bins)..<(($0 + 1) * placed.count / bins)])
    }
    func quantile(_ q: Double) -> [Double?] {
      parts.map { OrderStatistics.quantile(q, of: $0.map { 10 * $0.shift }) }
    }
    return Chart(
      name, title: "Shift of effects by the \(quantity)",
      what:
        "Median of how far the display's pose moves effects, in groups of equal size by the \(quantity); the band holds the middle half",
      caption: "Rising to the right: it is this motion that moves effects while the analysis runs.",
      x: ChartAxis("\(quantity), median of the group", unit: unit), y: ChartAxis("shift", unit: "mm"),
      series: [
        ChartSeries(
          "median", x: parts.map { OrderStatistics.median(of: $0.map(\.speed)) ?? 0 }, y: quantile(0.5),
          low: quantile(0.25), high: quantile(0.75))
      ])
  }
}
