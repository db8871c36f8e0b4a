/// Draws figures.
public enum ChartRenderer {
  /// One SVG document per figure, in the same order.
  ///
  /// The same figures give the same bytes. Texts are text; the root has `role="img"`, `<title>` and `<desc>`, and every
  /// id starts with the figure's name, so that figures of different names can be set into one page.
  public static func svg(_ figures: [Figure]) -> [String] {
    figures.map { figure in
      switch figure {
      case .chart(let chart): ChartDrawing(chart).document.text
      case .heatMap(let map): HeatMapDrawing(map).document.text
      }
    }
  }
}
