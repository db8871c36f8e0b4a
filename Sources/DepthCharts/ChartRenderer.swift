/// Draws figures.
public enum ChartRenderer {
  /// One SVG document per figure, in the same order, drawn for this room.
  ///
  /// The same figures give the same bytes. Texts are text; the root has `role="img"`, `<title>` and `<desc>`, and every
  /// id starts with the figure's size and name, so that figures of different names, and both sizes of one, can be set into one page.
  public static func svg(_ figures: [Figure], size: FigureSize = .wide) -> [String] {
    figures.map { figure in
      switch figure {
      case .chart(let chart): ChartDrawing(chart, size).document.text
      case .heatMap(let map): HeatMapDrawing(map, size).document.text
      }
    }
  }
}
