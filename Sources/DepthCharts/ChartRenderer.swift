/// Draws figures with gnuplot.
public enum ChartRenderer {
  /// Checks that figures can be drawn, so that a long run can say so before it starts.
  ///
  /// - Throws: `ChartError` if there is no gnuplot 5.4 or later on the `PATH`.
  public static func requireGnuplot() throws(ChartError) {
    let gnuplot = try Gnuplot.onPath()
    try gnuplot.requireVersion()
  }

  /// One SVG document per figure, in the same order.
  ///
  /// The same figures give the same bytes with the same gnuplot, whatever the locale. Texts are text in the
  /// font family sans-serif; the root has `role="img"`, `<title>` and `<desc>`, and every id starts with the
  /// figure's name, so that figures of different names can be set into one page.
  ///
  /// - Throws: `ChartError` if gnuplot is missing, fails, or does not end in time.
  public static func svg(_ figures: [Figure]) throws(ChartError) -> [String] {
    guard !figures.isEmpty else { return [] }
    return try svg(figures, with: try Gnuplot.onPath())
  }

  static func svg(_ figures: [Figure], with gnuplot: Gnuplot) throws(ChartError) -> [String] {
    let drawings = figures.map { figure in
      switch figure {
      case .chart(let chart): ChartDrawing(chart).panel
      case .heatMap(let map): HeatMapDrawing(map).panel
      }
    }
    let documents = try gnuplot.documents(drawings)
    var texts = [String]()
    for (figure, document) in zip(figures, documents) {
      texts.append(try SVGDocument(gnuplot: document, of: figure).text)
    }
    return texts
  }
}
