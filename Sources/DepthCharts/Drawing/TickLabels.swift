/// The labels below a horizontal axis: upright, or turned as far as they need to stay apart.
struct TickLabels {
  /// 0, 45 or 90.
  let degrees: Int
  /// Room below the axis, in pixels.
  let height: Double
  /// How far the first label reaches to the left of its tick, in pixels.
  let overhang: Double
  /// As drawn: long ones shortened, some left out where the ticks are closer than lines of text.
  let texts: [String]

  /// - Parameters:
  ///   - spacing: Distance of neighbouring ticks, in pixels.
  ///   - longest: Room for a label, in pixels.
  init(_ labels: [String], spacing: Double, longest: Double = 190) {
    let size = ChartStyle.tickSize
    let lineHeight = size * ChartStyle.leading
    let upright = labels.map { TextWidth.of($0, size: size) }
    guard (upright.max() ?? 0) + 0.6 * size > spacing else {
      (degrees, height, texts) = (0, lineHeight, labels)
      overhang = (upright.first ?? 0) / 2
      return
    }
    let stride = max(1, Int((0.95 * lineHeight / spacing).rounded(.up)))
    texts = labels.enumerated().map { index, label in
      index.isMultiple(of: stride) ? TextWidth.shortened(label, to: longest, size: size) : ""
    }
    let longestText = texts.map { TextWidth.of($0, size: size) }.max() ?? 0
    if spacing >= 1.5 * lineHeight {
      degrees = 45
      height = (longestText + lineHeight) * 0.7071
      overhang = texts.first.map { TextWidth.of($0, size: size) * 0.7071 } ?? 0
    } else {
      (degrees, height, overhang) = (90, longestText, size / 2)
    }
  }

  /// gnuplot's command for ticks at these values.
  ///
  /// - Parameter axis: "x", "y" or "cb".
  func command(_ axis: String, at values: [Double]) -> String {
    let rotation = degrees == 0 ? "norotate" : "rotate by \(degrees) right"
    precondition(values.count == texts.count, "one label per tick")
    return Self.command(axis, zip(values, texts).map { ($0, $1) }, words: rotation)
  }

  /// The same for labels as they are.
  static func command(_ axis: String, _ ticks: [(value: Double, label: String)], words: String = "norotate")
    -> String
  {
    // gnuplot takes an empty list for "automatic".
    guard !ticks.isEmpty else { return "unset \(axis)tics" }
    let list = ticks.map { "\(GnuplotText.quotedTick($0.label)) \($0.value)" }
    return "set \(axis)tics \(words) (\(list.joined(separator: ", ")))"
  }
}
