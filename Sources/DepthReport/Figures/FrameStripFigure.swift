import FathomDocuments
import DepthCharts
import FathomPlainText

/// The error of every frame over time, scene after scene: a bad number has a place, and the place has a picture.
enum FrameStripFigure {
  static let name = FigureBlock.framesOverTime

  /// - Parameter gallery: Pictures that marks lead to; others lead to their row in the table.
  static func figure(_ methods: FigureMethods, _ strip: FrameStrip?, gallery: GalleryBlock? = nil) -> Chart? {
    // A single frame has no course.
    guard let strip, strip.scenes.reduce(0, { $0 + $1.count }) > 1 else { return nil }
    let measure = FigureMeasure(FrameStrip.column)
    let pictured = Set(gallery?.frames.compactMap(\.anchor) ?? [])
    let layout = Layout(strip)
    let series = strip.lines.indices.map { line in
      let values = layout.frames.map { $0.flatMap { $0.values[line] } }
      return ChartSeries(
        methods.title(strip.lines[line].method), x: layout.places,
        y: values.map { $0.map { $0 * measure.scale } },
        style: .linePoints,
        targets: layout.frames.map { $0.flatMap { target($0, line, strip, methods, pictured) } },
        look: methods.look(strip.lines[line].ids))
    }
    let (isSplit, word) = (strip.scenes.count > 1, methods.run.frameWord)
    let span = truthSpan(strip)
    return Chart(
      name,
      title: "\(measure.title) of every \(word)\(strip.isSequence ? " over time" : "")"
        + (strip.scenes.count < strip.counts.scenes
          ? ": the worst \(strip.scenes.count) of \(strip.counts.scenes) scenes" : ""),
      alt: alt(strip, methods) + (span.map { " Share of pixels with truth: \($0)." } ?? ""),
      x: ChartAxis(axis(strip, word)),
      y: measure.axis(strip.scenes.joined().flatMap(\.values)), series: series,
      marks: isSplit ? zip(layout.starts, strip.scenes).map { ChartMark(x: $0, label: $1[0].scene) } : [],
      caption:
        "A mark is \(word == "image" ? "an" : "a") \(word); it leads to its pictures or its row below. A single high mark is a bad \(word)"
        + (strip.isSequence
          ? ", a slope is drift, a long high part is a hard scene or movement." : ".")
        + (strip.isPart ? " Of many \(word)s, the worst of every stretch is drawn." : "")
        + (span.map { " The shade below the axis is the share of pixels with truth: \($0)." } ?? ""),
      shade: span.map { _ in
        ChartShade(
          "pixels with truth, none to all", x: layout.places, shares: layout.frames.map { $0?.truth })
      })
  }

  /// "12 % to 97 %"; nil where every pixel has a truth, so that there is nothing to see.
  private static func truthSpan(_ strip: FrameStrip) -> String? {
    let shares = strip.scenes.joined().compactMap(\.truth)
    guard let least = shares.min(), let most = shares.max(), least < 0.995 else { return nil }
    let ends = [least, most].map { Quantity($0, .percent(0)).text }
    return ends[0] == ends[1] ? ends[0] : ends.joined(separator: " to ")
  }

  private static func axis(_ strip: FrameStrip, _ word: String) -> String {
    guard strip.isSequence else { return "images in the order of the data" }
    return strip.scenes.count > 1
      ? "\(word)s in the order of time, scene after scene" : "\(word) of \(strip.scenes[0][0].scene)"
  }

  private static func target(
    _ frame: FrameStrip.Frame, _ line: Int, _ strip: FrameStrip, _ methods: FigureMethods,
    _ pictured: Set<String>
  ) -> ChartTarget? {
    let measure = FigureMeasure(FrameStrip.column)
    return frame.values[line].map { value in
      let picture = FrameStrip.galleryAnchor(frame.number)
      return ChartTarget(
        pictured.contains(picture) ? picture : FrameStrip.anchor(frame.number),
        label: "\(frame.place): \(methods.name(strip.lines[line].method)), \(measure.text(value))")
    }
  }

  /// Where frames stand along the axis; between scenes there is a gap, which breaks the lines.
  private struct Layout {
    var places: [Double] = []
    var frames: [FrameStrip.Frame?] = []  // nil for a gap.
    var starts: [Double] = []  // Of each scene.

    init(_ strip: FrameStrip) {
      let isSplit = strip.scenes.count > 1
      var start = 0.0
      for scene in strip.scenes {
        starts.append(start - (isSplit ? 0.5 : 0))
        let first = isSplit ? scene[0].index : 0
        for frame in scene {
          places.append(start + Double(frame.index - first))
          frames.append(frame)
        }
        start = (places.last ?? 0) + 1
        places.append(start - 0.5)
        frames.append(nil)
      }
    }
  }

  private static func alt(_ strip: FrameStrip, _ methods: FigureMethods) -> String {
    let (measure, word) = (FigureMeasure(FrameStrip.column), methods.run.frameWord)
    let frames = Array(strip.scenes.joined())
    let names = strip.lines.map { methods.name($0.method) }
    let order =
      strip.isSequence
      ? " of \(counted(strip.scenes.count, "scene")) in the order of time" : " in the order of the data"
    var sentences = [
      "\(measure.title) of \(counted(frames.count, word))\(order), a line for each of \(names.joined(separator: ", "))"
    ]
    for (line, name) in names.enumerated() {
      let known = frames.filter { $0.values[line] != nil }
      func value(_ frame: FrameStrip.Frame) -> Double { frame.values[line] ?? 0 }
      guard let worst = known.max(by: { value($0) < value($1) }),
        let best = known.min(by: { value($0) < value($1) })
      else { continue }
      sentences.append(
        "\(name): from \(measure.text(value(best))) in \(best.place) to \(measure.text(value(worst))) in \(worst.place)"
      )
    }
    if strip.isPart {
      sentences.append(
        "Of \(strip.counts.frames) \(word)s the worst of every stretch are drawn; frames.csv holds all")
    }
    return sentences.joined(separator: ". ") + "."
  }
}
