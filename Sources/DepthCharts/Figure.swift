/// What a report shows as a vector graphic with its data beside it.
public enum Figure: Sendable, Equatable {
  case chart(Chart)
  case heatMap(HeatMap)
  /// Stem of the files: `figures/NAME.svg`, `figures/NAME.csv`.
  public var name: String { words.name }
  public var title: String { words.title }
  /// What the figure shows, for those who cannot see it.
  public var alt: String { words.alt }
  /// What to look for, for those who see it; nil where ``alt`` says that, too.
  public var caption: String? { words.caption }

  private var words: (name: String, title: String, alt: String, caption: String?) {
    switch self {
    case .chart(let chart): (chart.name, chart.title, chart.alt, chart.caption)
    case .heatMap(let map): (map.name, map.title, map.alt, map.caption)
    }
  }

  /// Everything that is drawn, in full precision.
  public var table: ChartTable {
    switch self {
    case .chart(let chart): ChartTable(chart)
    case .heatMap(let map): ChartTable(map)
    }
  }
}
