/// The one look of all figures. Lengths in pixels of 1/96 inch.
enum ChartStyle {
  static let titleSize = 15.0, labelSize = 13.0, tickSize = 12.0
  static let leading = 1.35  // Distance of base lines as a multiple of the size.
  static let whiskerWidth = 1.3  // Width of whiskers and of intervals alone between gaps.
  static let bandOpacity = "0.18"  // Opacity of bands.
  /// Lengths of strokes and gaps; a series takes the next when the colours have been used up.
  static let dashes = ["", "9 5", "3 4", "12 4 3 4"]
  static let referenceDashes = ["12 8", "3 6", "24 8 4 8"]  // Of reference lines.

  /// How the series at this place among those that are not references looks: colour alone never carries the meaning.
  static func look(_ index: Int) -> SeriesLook {
    let (colours, shapes) = (ChartColour.series, MarkShape.allCases)
    let round = index / colours.count
    return SeriesLook(
      colour: colours[index % colours.count], shape: shapes[(index + round) % shapes.count],
      dash: dashes[round % dashes.count], lineWidth: 1.8)
  }

  /// How the reference line at this place among the references looks.
  static func referenceLook(_ index: Int) -> SeriesLook {
    let place = index % referenceDashes.count
    return SeriesLook(
      colour: ChartColour.references[place], shape: .circle, dash: referenceDashes[place], lineWidth: 1)
  }

  /// Every series has a look of its own; references look alike but for their dashes.
  static func looks(of series: [ChartSeries]) -> [SeriesLook] {
    var (references, taken) = (0, Set(series.compactMap(\.look)))
    return series.map { series in
      if series.isReference {
        references += 1
        return referenceLook(references - 1)
      }
      if let own = series.look { return look(own) }
      let free = (0...).first { !taken.contains($0) } ?? 0
      taken.insert(free)
      return look(free)
    }
  }
}
