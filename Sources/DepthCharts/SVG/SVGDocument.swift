/// A figure as an SVG document.
///
/// It stands alone, and in a page beside others: every id begins with the figure's own, and so does every rule of its
/// style sheet. A page that defines the custom properties `--chart-…` decides about the colours of lines and texts;
/// elsewhere, and where style sheets have no custom properties, they are those on white paper.
struct SVGDocument {
  let text: String

  /// Fonts of the system that shows it; a sans-serif one where it has none of them.
  static let fonts =
    "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'Liberation Sans', Arial, 'DejaVu Sans', "
    + "sans-serif"

  /// - Parameter height: Pixels.
  /// - Parameter content: From the background to the foreground.
  init(_ figure: Figure, _ size: FigureSize, height: Double, content: [SVGElement]) {
    let id = SVGText.identifier(figure.name, size)
    let (width, height) = (SVGNumber.text(size.width), SVGNumber.text(height))
    var root = SVGElement(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height,
        "viewBox": "0 0 \(width) \(height)", "role": "img", "aria-labelledby": "\(id)-title \(id)-desc",
      ])
    root.append(SVGElement("title", text: figure.title, ["id": "\(id)-title"]))
    root.append(SVGElement("desc", text: figure.alt, ["id": "\(id)-desc"]))
    var body = SVGElement(
      "g", ["id": id, "font-family": Self.fonts, "font-size": SVGNumber.text(ChartStyle.tickSize)])
    body.append(
      SVGElement("rect", class: "paper", ["x": "0", "y": "0", "width": width, "height": height])
        .filled(.paper))
    for element in content { body.append(element) }
    if let style = Self.style(body, id: id) { root.append(style) }
    root.append(body)
    var document = ""
    root.write(to: &document)
    text = document
  }

  /// A rule for each paint that is used.
  private static func style(_ body: SVGElement, id: String) -> SVGElement? {
    let rules = body.allPaints.map { "#\(id) .\($0.word){\($0.declaration)}" }.sorted()
    guard !rules.isEmpty else { return nil }
    // Programs that know no custom properties skip all of it, and keep to the attributes.
    return SVGElement("style", text: "@supports (fill:var(--a)){\(rules.joined())}")
  }
}
