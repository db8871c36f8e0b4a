internal import Foundation

/// Where the bars of a chart stand: those of several series side by side around their common x.
struct BarLayout {
  private let share: Double  // Share of the distance between neighbours that a group takes.
  private let seriesCount: Int
  /// Distance of neighbouring x; on a logarithmic axis of their decimal logarithms.
  private let spacing: Double
  private let isLogarithmic: Bool

  init(_ chart: Chart) {
    let bars = chart.series.filter { $0.style == .bars && !$0.isReference }
    isLogarithmic = chart.x.isLogarithmic
    seriesCount = max(1, bars.count)
    let isHistogram = bars.count == 1 && chart.categories == nil
    share = isHistogram ? 1 : 0.8
    guard chart.categories == nil else {
      spacing = 1
      return
    }
    let places = Set(bars.flatMap(\.x).compactMap(chart.x.placeable)).map { [isLogarithmic] in
      isLogarithmic ? log10($0) : $0
    }.sorted()
    let extent = (places.last ?? 0) - (places.first ?? 0)
    // Bin centres that were computed differ in the last digits only.
    let distances = zip(places.dropFirst(), places).map { $0 - $1 }.filter { $0 > 1e-9 * extent }
    spacing = distances.min() ?? (isLogarithmic ? 0.1 : 1)
  }

  /// Both sides of the bar at x.
  /// - Parameter index: Of the series among those with bars.
  func sides(of x: Double, series index: Int) -> (left: Double, right: Double) {
    let width = spacing * share / Double(seriesCount)
    let left = (Double(index) - Double(seriesCount) / 2) * width
    return isLogarithmic ? (x * pow(10, left), x * pow(10, left + width)) : (x + left, x + left + width)
  }
}
