/// A figure as gnuplot commands, with what gnuplot has no layout for placed by pixel: x to the right and y
/// down from the top left corner.
struct Panel {
  /// Which point of a text its position is.
  enum Anchor: String {
    case left, center, right
  }

  let width: Double
  let height: Double
  private(set) var commands: [String] = []

  init(width: Double, height: Double) {
    (self.width, self.height) = (width.rounded(.up), height.rounded(.up))
  }

  mutating func add(_ command: String) { commands.append(command) }

  /// A block of data that plots refer to by its name; an empty row ends a line.
  mutating func addData(_ name: String, _ rows: [[Double]]) {
    commands.append("\(name) << EOD")
    commands += rows.map { row in row.map { "\($0)" }.joined(separator: " ") }
    commands.append("EOD")
  }

  /// gnuplot's coordinates of a pixel.
  func screen(_ x: Double, _ y: Double) -> String {
    "screen \(Self.share(x, width)),\(Self.share(height - y, height))"
  }

  static func share(_ part: Double, _ whole: Double) -> Double { (part / whole * 1e6).rounded() / 1e6 }

  /// One line of text, vertically centred at y.
  mutating func text(
    _ text: String, at x: Double, _ y: Double, _ anchor: Anchor = .left, size: Double = ChartStyle.labelSize,
    colour: String = ChartStyle.textColour, isBold: Bool = false, degrees: Int = 0
  ) {
    guard !text.isEmpty else { return }
    commands.append(
      "set label \(GnuplotText.quoted(text)) at \(screen(x, y)) \(anchor.rawValue) rotate by \(degrees) "
        + "font 'sans-serif\(isBold ? ":Bold" : ""),\(size)' tc rgb '\(colour)' front")
  }

  /// A straight line, over the grid and under the data.
  mutating func line(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ words: String) {
    commands.append("set arrow from \(screen(x0, y0)) to \(screen(x1, y1)) nohead \(words) back")
  }

  /// A rectangle between two corners.
  mutating func box(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ words: String) {
    commands.append("set object rect from \(screen(x0, y1)) to \(screen(x1, y0)) back \(words)")
  }

  /// A mark as that of a data point.
  mutating func point(_ x: Double, _ y: Double, _ words: String) {
    commands.append("set label '' at \(screen(x, y)) point \(words) front")
  }

  /// Puts the axes around this area, in pixels.
  mutating func frame(_ area: PlotArea) {
    commands += [
      "set lmargin at screen \(Self.share(area.left, width))",
      "set rmargin at screen \(Self.share(area.right, width))",
      "set tmargin at screen \(Self.share(height - area.top, height))",
      "set bmargin at screen \(Self.share(height - area.bottom, height))",
    ]
  }
}

/// The area between the axes, in pixels from the top left corner of the figure.
struct PlotArea {
  var left: Double, top: Double, right: Double, bottom: Double
  var width: Double { right - left }
  var height: Double { bottom - top }
}
