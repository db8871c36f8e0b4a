/// Names of what is drawn, below the figure where they cover no data.
struct Legend {
  /// What stands before a name.
  enum Sample {
    case series(SeriesLook, ChartSeries.Style, hasBand: Bool)
    case outline(colour: String)
    case missing(isStruck: Bool)
  }

  struct Entry {
    let sample: Sample
    let text: String
  }

  static let rowHeight = 20.0
  private static let sampleWidth = 28.0
  private static let gap = 7.0
  private static let columnGap = 22.0

  private let entries: [Entry]
  /// Left ends of the entries from that of the legend, in pixels, and their rows.
  private let places: [(x: Double, row: Int)]
  let height: Double

  /// - Parameter width: Room in pixels.
  init(_ entries: [Entry], width: Double) {
    let room = width - Self.sampleWidth - Self.gap
    let shortened = entries.filter { !$0.text.isEmpty }.map { entry in
      Entry(
        sample: entry.sample,
        text: TextWidth.shortened(entry.text, to: room, size: ChartStyle.tickSize))
    }
    let widths = shortened.map {
      Self.sampleWidth + Self.gap + TextWidth.of($0.text, size: ChartStyle.tickSize) + Self.columnGap
    }
    self.entries = shortened
    if widths.reduce(0, +) - Self.columnGap <= width {
      var x = 0.0
      places = widths.map { width in
        defer { x += width }
        return (x, 0)
      }
    } else {
      let widest = widths.max() ?? 1
      let columns = max(1, Int((width + Self.columnGap) / widest))
      places = widths.indices.map { (Double($0 % columns) * widest, $0 / columns) }
    }
    height = Double((places.last?.row ?? -1) + 1) * Self.rowHeight
  }

  /// - Parameters:
  ///   - left, top: Of the legend, in pixels.
  func draw(in panel: inout Panel, left: Double, top: Double) {
    for (entry, place) in zip(entries, places) {
      let (x, y) = (left + place.x, top + (Double(place.row) + 0.5) * Self.rowHeight)
      draw(entry.sample, in: &panel, x, y)
      panel.text(
        entry.text, at: x + Self.sampleWidth + Self.gap, y, size: ChartStyle.tickSize,
        colour: ChartStyle.textColour)
    }
  }

  private func draw(_ sample: Sample, in panel: inout Panel, _ x: Double, _ y: Double) {
    let end = x + Self.sampleWidth
    let middle = x + Self.sampleWidth / 2
    switch sample {
    case .series(let look, let style, let hasBand):
      switch style {
      case .bars: panel.box(x + 6, y - 5.5, end - 6, y + 5.5, "fc rgb '\(look.colour)' fs solid 1 noborder")
      case .points:
        if hasBand { panel.line(middle, y - 7, middle, y + 7, "lc rgb '\(look.colour)' lw 1.3") }
        panel.point(middle, y, look.points())
      case .line, .linePoints, .steps:
        if hasBand {
          panel.box(x, y - 6, end, y + 6, "fc rgb '\(look.colour)' fs transparent solid 0.18 noborder")
        }
        panel.line(x, y, end, y, look.line)
        if style == .linePoints { panel.point(middle, y, look.points()) }
      }
    case .outline(let colour):
      panel.box(x + 6, y - 6, end - 6, y + 6, "fc rgb '#ffffff' fs solid 1 border lc rgb '\(colour)' lw 2.5")
    case .missing(let isStruck):
      panel.box(x + 6, y - 6, end - 6, y + 6, "fc rgb '\(ChartStyle.missingColour)' fs solid 1 noborder")
      if isStruck { panel.line(x + 6, y + 6, end - 6, y - 6, "lc rgb '\(ChartStyle.axisColour)' lw 0.8") }
    }
  }
}
