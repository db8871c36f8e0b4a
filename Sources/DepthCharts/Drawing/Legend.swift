/// Names of what is drawn, below the figure where they cover no data.
struct Legend {
  /// What stands before a name.
  enum Sample {
    case series(SeriesLook, ChartSeries.Style, hasBand: Bool)
    case outline(colour: ChartColour)
    case missing(isStruck: Bool)
    /// From a share of 0 to 1.
    case shade
  }

  struct Entry { let sample: Sample, text: String }
  static let rowHeight = 20.0
  private static let sampleWidth = 28.0, gap = 7.0, columnGap = 22.0
  private let entries: [Entry]
  /// Left ends of the entries from that of the legend, in pixels, and their rows.
  private let places: [(x: Double, row: Int)]
  let height: Double

  /// - Parameter width: Room in pixels.
  init(_ entries: [Entry], width: Double) {
    let room = width - Self.sampleWidth - Self.gap
    let shortened = entries.filter { !$0.text.isEmpty }.map { entry in
      Entry(sample: entry.sample, text: TextWidth.shortened(entry.text, to: room, size: ChartStyle.tickSize))
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
  func elements(left: Double, top: Double) -> SVGElement {
    var group = SVGElement.group("legend").filled(.text)
    for (entry, place) in zip(entries, places) {
      let (x, y) = (left + place.x, top + (Double(place.row) + 0.5) * Self.rowHeight)
      var item = SVGElement.group("entry")
      for element in Self.elements(entry.sample, x, y) { item.append(element) }
      item.append(.text(entry.text, at: [x + Self.sampleWidth + Self.gap, y]))
      group.append(item)
    }
    return group
  }

  private static func elements(_ sample: Sample, _ x: Double, _ y: Double) -> [SVGElement] {
    let end = x + sampleWidth
    let middle = x + sampleWidth / 2
    switch sample {
    case .series(let look, let style, let hasBand):
      let mark = look.shape.element(at: [middle, y]).filled(look.colour)
      switch style {
      case .points: return (hasBand ? [look.whisker(x: middle, from: y - 7, to: y + 7)] : []) + [mark]
      case .line, .linePoints, .steps:
        var band = SVGElement.box("band", x, y - 6, end, y + 6).filled(look.colour)
        band.set("fill-opacity", ChartStyle.bandOpacity)
        return (hasBand ? [band] : []) + [look.line("line", [[x, y], [end, y]])]
          + (style == .linePoints ? [mark] : [])
      }
    case .outline(let colour):
      var box = SVGElement.box(nil, x + 6, y - 6, end - 6, y + 6)
      box.set("fill", "none")
      // In the white border that it has on the cells.
      return [box.stroked(.fixed("#ffffff"), width: 4.5), box.stroked(colour, width: 2.5)]
    case .shade:
      return (0..<4).map { step in
        let left = x + Double(step) * sampleWidth / 4
        var box = SVGElement.box(nil, left, y - 4, left + sampleWidth / 4, y + 4).filled(.mark)
        box.set("fill-opacity", (Double(step) + 0.5) / 4)
        return box
      }
    case .missing(let isStruck):
      let box = SVGElement.box(nil, x + 6, y - 6, end - 6, y + 6).filled(.missing)
      let stroke = SVGElement.line("stroke", [x + 6, y + 6], [end - 6, y - 6]).stroked(.axis, width: 0.8)
      return isStruck ? [box, stroke] : [box]
    }
  }
}
