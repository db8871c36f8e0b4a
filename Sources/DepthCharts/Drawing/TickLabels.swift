/// The labels below a horizontal axis: level, or turned as far as they need to stay apart.
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

  /// The labels at these places.
  ///
  /// - Parameters:
  ///   - places: Of the ticks, in pixels.
  ///   - top: Where the room of the labels begins, in pixels.
  func elements(at places: [Double], top: Double) -> [SVGElement] {
    precondition(places.count == texts.count, "one label per tick")
    return zip(places, texts).filter { !$1.isEmpty }.map { x, text in
      let size = ChartStyle.tickSize
      return switch degrees {
      case 0: .text(text, at: [x, top + 0.5 * size], .middle)
      case 45: .text(text, at: [x + 0.25 * size, top + 0.4 * size], .end, degrees: 45)
      default: .text(text, at: [x, top], .end, degrees: 90)
      }
    }
  }
}
