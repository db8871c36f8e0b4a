internal import DepthCore
internal import FathomDrawingScales

/// A scale's colours in a bar with ticks, numbers, name and unit.
public struct ColourBar: Sendable {
  /// What it shows.
  public var scale: ColourScale
  /// Of the numbers and the name.
  public var style = TextStyle(size: 13)
  /// Of the frame and the ticks.
  public var lines = Colour(grey: 0.25)
  /// Ends beyond which values lie; they are drawn pointed.
  public var passedEnds: ScaleEnds = []
  /// What shines through the colours; nil where they are opaque.
  public var veil: Veil?
  public init(_ scale: ColourScale) { self.scale = scale }
  var thickness: Double { (style.size * 16 / 13).rounded() }  // Width of the coloured part, pixels.
  /// Length of a pointed end: less than the half line of text that stands free at either end.
  var pointLength: Double { (style.size * 0.6).rounded() }

  /// Width that the upright bar takes with its numbers and name, pixels.
  public func width(on canvas: borrowing Canvas) -> Double {
    var widest = 0.0
    for label in AxisTicks.linear(in: scale.range, most: 6).labels {
      widest = max(widest, canvas.textWidth(label, style))
    }
    return (thickness + 8 + widest + 8 + style.lineHeight).rounded(.up)
  }

  /// Draws it upright, the range's upper end on top.
  /// - Parameter origin: Upper left corner.
  /// - Parameter height: Of the coloured part, pixels. Half a line of text more is taken at either end.
  public func draw(on canvas: borrowing Canvas, at origin: SIMD2<Double>, height: Double) {
    let count = scale.map.table.count
    for (index, colour) in scale.map.table.enumerated() {
      let top = origin.y + height * Double(count - 1 - index) / Double(count)
      // Whole pixels, so that no seam shows between two colours.
      let (from, to) = (top.rounded(), (top + height / Double(count)).rounded())
      let shades = veil?.shades(of: Colour(colour)) ?? [Colour(colour)]
      for (column, shade) in shades.enumerated() {
        let (left, right) = (
          (thickness * Double(column) / Double(shades.count)).rounded(),
          (thickness * Double(column + 1) / Double(shades.count)).rounded()
        )
        canvas.fill(
          Rectangle(x: origin.x + left, y: from, width: right - left, height: max(to - from, 1)), shade)
      }
    }
    let frame = Rectangle(x: origin.x, y: origin.y, width: thickness, height: height)
    canvas.stroke(frame, lines)
    drawPoints(of: frame, on: canvas)
    let ticks = AxisTicks.linear(in: scale.range, most: 6)
    for (value, label) in zip(ticks.values, ticks.labels) {
      let y = origin.y + height * (1 - scale.share(of: value))
      canvas.stroke([[[frame.maxX, y], [frame.maxX + 4, y]]], lines)
      canvas.text(label, at: [frame.maxX + 8, y + 0.36 * style.size], style)
    }
    let right = origin.x + width(on: canvas)
    canvas.text(
      scale.title, at: [right - 0.3 * style.size, origin.y + height / 2], titleStyle(height, on: canvas),
      anchor: .centre, turned: true)
  }

  private func drawPoints(of frame: Rectangle, on canvas: borrowing Canvas) {
    guard let first = scale.map.table.first, let last = scale.map.table.last else { return }
    let points: [(ScaleEnds, Double, Double, RGB)] = [
      (.upper, frame.y, -pointLength, last), (.lower, frame.maxY, pointLength, first),
    ]
    for (end, y, length, colour) in points where passedEnds.contains(end) {
      let path =
        [[frame.x, y], [frame.x + frame.width / 2, y + length], [frame.maxX, y]] as [SIMD2<Double>]
      canvas.fill(path, veil?.middle(of: Colour(colour)) ?? Colour(colour))
      canvas.stroke([path], lines)
    }
  }

  /// Small enough that the name is no longer than the bar.
  func titleStyle(_ height: Double, on canvas: borrowing Canvas) -> TextStyle {
    var fitting = style
    fitting.size = style.size * min(1, height / max(canvas.textWidth(scale.title, style), 1))
    return fitting
  }
}
