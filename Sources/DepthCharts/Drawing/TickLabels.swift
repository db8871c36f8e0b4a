/// The labels below a horizontal axis: level, or turned just enough to stay apart.
struct TickLabels {
  let degrees: Int  // 0, 45 or 90.
  let height: Double  // Room below the axis, in pixels.
  let overhang: Double  // How far labels reach to the left of the first tick, in pixels.
  /// As drawn: long ones shortened, some omitted where the ticks are closer than the smallest lines of text.
  let texts: [String]
  /// Of the letters, in pixels: those on their side shrink a little before any is omitted.
  private let size: Double
  private static let smallestSize = 9.5
  /// Distance of lines on their side as a multiple of the size: no letter of one reaches into the next.
  private static let turnedLeading = 1.08

  /// - Parameter spacing: Distance of neighbouring ticks, in pixels.
  /// - Parameter longest: Room for a label, in pixels.
  init(_ labels: [String], spacing: Double, longest: Double) {
    let usual = ChartStyle.tickSize
    let lineHeight = usual * ChartStyle.leading
    let upright = labels.map { TextWidth.of($0, size: usual) }
    guard (upright.max() ?? 0) + 0.6 * usual > spacing else {
      (degrees, height, texts, size) = (0, lineHeight, labels, usual)
      overhang = (upright.first ?? 0) / 2
      return
    }
    let fitting = min(usual, (spacing / Self.turnedLeading * 10).rounded(.down) / 10)
    let size = fitting < Self.smallestSize ? usual : fitting
    self.size = size
    let stride = max(1, Int((Self.turnedLeading * size / spacing).rounded(.up)))
    texts = labels.enumerated().map { index, label in
      index.isMultiple(of: stride) ? TextWidth.shortened(label, to: longest, size: size) : ""
    }
    let longestText = texts.map { TextWidth.of($0, size: size) }.max() ?? 0
    if spacing >= 1.5 * lineHeight {
      degrees = 45
      height = (longestText + lineHeight) * 0.7071
      overhang =
        texts.enumerated().map { TextWidth.of($1, size: size) * 0.7071 - Double($0) * spacing }.max() ?? 0
    } else {
      (degrees, height, overhang) = (90, longestText, size / 2)
    }
  }

  /// The labels at these places.
  /// - Parameter places: Of the ticks, in pixels.
  /// - Parameter top: Where the room of the labels begins, in pixels.
  func elements(at places: [Double], top: Double) -> [SVGElement] {
    precondition(places.count == texts.count, "one label per tick")
    return zip(places, texts).filter { !$1.isEmpty }.map { x, text in
      switch degrees {
      case 0: .text(text, at: [x, top + 0.5 * size], .middle)
      case 45: .text(text, at: [x + 0.25 * size, top + 0.4 * size], .end, degrees: 45)
      default: .text(text, at: [x, top], .end, size: size, degrees: 90)
      }
    }
  }
}
