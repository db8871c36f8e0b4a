/// Names of vertical lines, as flags above the area between the axes; flags that would meet stand above each other.
struct MarkLabels {
  struct Flag {
    let text: String
    let x: Double  // Of the line, in pixels.
    let extent: ClosedRange<Double>  // Where the text begins and ends, in pixels.
    let isLeft: Bool
    let row: Int  // From 0, which is next to the area.
  }

  static let rowHeight = 16.0
  let flags: [Flag]
  var height: Double { Double(flags.map { $0.row + 1 }.max() ?? 0) * Self.rowHeight }

  /// - Parameter marks: Names with the place of their lines, in pixels.
  /// - Parameter right: Where the figure's room ends, in pixels.
  /// - Parameter longest: Room for a name, in pixels.
  init(_ marks: [(x: Double, label: String)], right: Double, longest: Double) {
    var flags = [Flag]()
    // From the right, so that a line on its way up to its flag meets no flag of its left neighbours.
    for mark in marks.sorted(by: { ($0.x, $0.label) > ($1.x, $1.label) }) {
      let gap = 5.0
      let text = TextWidth.shortened(mark.label, to: longest, size: ChartStyle.tickSize)
      let width = TextWidth.of(text, size: ChartStyle.tickSize)
      let isLeft = mark.x + gap + width > right
      let extent = isLeft ? mark.x - gap - width...mark.x - gap : mark.x + gap...mark.x + gap + width
      let row =
        flags.filter { $0.extent.overlaps(extent) || extent.contains($0.x) }.map { $0.row + 1 }.max() ?? 0
      flags.append(Flag(text: text, x: mark.x, extent: extent, isLeft: isLeft, row: row))
    }
    self.flags = flags
  }

  /// Dashed lines up to their flags.
  func elements(area: PlotArea) -> SVGElement {
    var lines = SVGElement.group("lines", ["stroke-dasharray": "8 5"]).stroked(.mark, width: 1.1)
    var names = SVGElement.group("flags").filled(.mark)
    for flag in flags {
      let y = area.top - (Double(flag.row) + 0.5) * Self.rowHeight - 2
      lines.append(.line("mark", [flag.x, area.bottom], [flag.x, y - 6]))
      // A line on its way up to a higher flag stops behind this name.
      if flags.contains(where: { $0.row > flag.row && flag.extent.contains($0.x) }) {
        let (left, right) = (flag.extent.lowerBound - 2, flag.extent.upperBound + 2)
        names.append(.box("ground", left, y - 7, right, y + 7).filled(.paper))
      }
      names.append(
        .text(
          flag.text, at: [flag.isLeft ? flag.extent.upperBound : flag.extent.lowerBound, y],
          flag.isLeft ? .end : .start))
    }
    var group = SVGElement.group("marks")
    group.appendUnlessEmpty(lines)
    group.appendUnlessEmpty(names)
    return group
  }
}
