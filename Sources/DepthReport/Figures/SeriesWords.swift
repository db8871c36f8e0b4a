package import DepthCharts
import FathomPlainText

/// The numbers of a chart for those who cannot see it.
enum SeriesWords {
  private static let mostPoints = 8  // More points of a series cannot be listened to.
  /// "confidence 2: 3.21 mm at 0.75, 4.1 mm at 1.25 …; confidence 1: …", lines of reference aside.
  static func text(_ series: [ChartSeries], x: ChartAxis, y: ChartAxis, categories: [String]? = nil) -> String
  {
    series.filter { !$0.isReference }.compactMap { series -> String? in
      let points = zip(series.x, series.y).compactMap { x, y in y.map { (x, $0) } }
      guard !points.isEmpty else { return nil }
      let shown =
        points.count > mostPoints
        ? (0..<mostPoints).map { points[$0 * (points.count - 1) / (mostPoints - 1)] } : points
      let words = shown.map { point in
        "\(Quantity(point.1, .significant(3, unit: y.unit ?? "")).text) at \(place(point.0, x, categories))"
      }
      return "\(series.name): \(words.joined(separator: ", "))"
        + (shown.count < points.count ? ", from \(points.count) points" : "")
    }.joined(separator: "; ")
  }

  /// A place on the x axis: its category where there are some.
  static func place(_ x: Double, _ axis: ChartAxis, _ categories: [String]?) -> String {
    categories.flatMap { $0.indices.contains(Int(x)) ? $0[Int(x)] : nil }
      ?? Quantity(x, .significant(3, unit: axis.unit ?? "")).text
  }
}

extension Chart {
  /// A chart whose numbers stand in its alternative text, and whose caption says what to see.
  /// - Parameter what: What it shows, without a full stop.
  package init(
    _ name: String, title: String, what: String, caption: String, x: ChartAxis, y: ChartAxis,
    series: [ChartSeries], marks: [ChartMark] = [], categories: [String]? = nil
  ) {
    let words = SeriesWords.text(series, x: x, y: y, categories: categories)
    let marked = marks.map { "\($0.label): \(SeriesWords.place($0.x, x, categories))" }
    self.init(
      name, title: title, alt: ([what, words] + marked).filter { !$0.isEmpty }.joined(separator: ". ") + ".",
      x: x, y: y, series: series, marks: marks, categories: categories, caption: caption)
  }
}
