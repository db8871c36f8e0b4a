import PlainText

/// gnuplot's SVG made accessible and fit for a page with others: a role, a title and a description, ids of
/// its own, nothing empty.
struct SVGDocument {
  let text: String

  /// - Throws: `ChartError` if this is no document of gnuplot's SVG terminal.
  init(gnuplot document: String, of figure: Figure) throws(ChartError) {
    let id = Self.identifier(figure.name)
    var (lines, size) = ([String](), "")
    var (isHeader, isFilter) = (true, false)
    for line in document.split(separator: "\n", omittingEmptySubsequences: true) {
      let trimmed = line.drop { $0 == " " || $0 == "\t" }
      if isHeader {
        // The header holds what must not stay: a constant title, and the version of gnuplot.
        if trimmed.hasPrefix("width=") || trimmed.hasPrefix("viewBox=") { size += " " + trimmed }
        isHeader = !trimmed.hasPrefix("<g id=\"gnuplot_canvas\">")
        continue
      }
      // Filters for text boxes, which no figure has.
      if trimmed.hasPrefix("<filter") { isFilter = true }
      if !isFilter { Self.append(trimmed, to: &lines, id: id) }
      if trimmed.hasPrefix("</filter>") { isFilter = false }
    }
    guard !isHeader, lines.last == "</svg>" else {
      throw ChartError(
        operation: "draw the figure '\(figure.name)'", reason: "gnuplot wrote no complete SVG document",
        advice: "use gnuplot 5.4 or 6, and run again")
    }
    // No XML declaration, which a page of HTML could not hold: UTF-8 needs none.
    let head = """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"\(size) role="img" \
      aria-labelledby="\(id)-title \(id)-desc">
      <title id="\(id)-title">\(Self.escaped(figure.title))</title>
      <desc id="\(id)-desc">\(Self.escaped(figure.alt))</desc>
      <g id="\(id)">

      """
    self.text = head + lines.joined(separator: "\n") + "\n"
  }

  private static func append(_ line: Substring, to lines: inout [String], id: String) {
    // Texts come from data and must not be taken for markup.
    guard !line.hasPrefix("<text") else { return lines.append(String(line)) }
    if line == "</g>", let last = lines.last, last.hasPrefix("<g "), last.hasSuffix(">"),
      !last.utf8.holds("</")
    {
      lines.removeLast()
      return
    }
    var line = String(line)
    // Most lines are coordinates: a path of a thousand points holds none of what follows.
    guard line.utf8.holds("gp") || line.utf8.holds("gnuplot_") || line.utf8.holds(":Bold") else {
      lines.append(line)
      return
    }
    for (old, new) in [
      ("id=\"gnuplot_", "id=\"\(id)-"), ("id='gp", "id='\(id)-gp"), ("'#gp", "'#\(id)-gp"),
      ("url(#gp", "url(#\(id)-gp"), ("\"sans-serif:Bold\"", "\"sans-serif\" font-weight=\"bold\""),
    ] where line.contains(old) { line = line.replacing(old, with: new) }
    if let start = line.firstRange(of: "<title>gnuplot_plot_") { line = String(line[..<start.lowerBound]) }
    lines.append(line)
  }

  /// An id that differs where names do.
  static func identifier(_ name: String) -> String {
    var id = "figure-"
    for scalar in name.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": id.unicodeScalars.append(scalar)
      default: id += "." + String(scalar.value, radix: 16) + "."
      }
    }
    return id
  }

  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.visible.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension Collection<UInt8> {
  /// Whether these letters stand somewhere in it; they are ASCII, so that bytes decide.
  fileprivate func holds(_ letters: StaticString) -> Bool {
    letters.withUTF8Buffer { letters in
      guard let first = letters.first else { return true }
      var rest = self[...]
      while let start = rest.firstIndex(of: first) {
        rest = rest[start...]
        if rest.starts(with: letters) { return true }
        rest = rest.dropFirst()
      }
      return false
    }
  }
}
