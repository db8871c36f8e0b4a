/// `report.html`: a report as one page that needs nothing else, not even a network.
///
/// The page can be read without its script, which adds sorting, filters and the comparison of pictures. It is
/// well-formed XML as well as HTML. Equal documents and files give equal bytes.
public struct HTMLReport {
  private let document: ReportDocument, file: (String) throws -> [UInt8]
  private let anchors: Set<String>  // What cells of tables may lead to.

  /// - Parameter file: Bytes of a file below the run folder: "figures/error-by-range.svg", "gallery/worst-1-fused.png".
  public init(_ document: ReportDocument, file: @escaping (String) throws -> [UInt8]) {
    (self.document, self.file) = (document, file)
    anchors = document.anchors
  }

  /// The page.
  /// - Throws: what `file` throws; `PageError` if a file is not a picture, or not a chart with a `viewBox`.
  public func render() throws -> String {
    let sections = try document.sections.enumerated().map { index, part in
      try section(part, level: 2, last: index == 0 ? ways(to: document) : [])
    }
    let tab = (document.badge.map { $0.word + " · " } ?? "") + document.title
    let caveat = document.caveat.map { caveat -> Markup in
      #"<p class="caveat" role="note"><strong>\#(sentence: caveat)</strong></p>"#
    }
    let icon: Markup = #"<link rel="icon" href="data:,"/>\#n"#
    let style = PageFiles.style + TablePage.labelRules(columns: mostColumns)
    let page: Markup = """
      <!DOCTYPE html>
      <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
      \(PageFiles.head(tab, document.generator, PageFiles.policy, icon: icon, style: style))
      <body>
      <a class="skip" href="#page-main">Skip to the findings</a>
      <div class="page">
      <header class="masthead">
      <h1>\(document.title)</h1>
      \(lines: [caveat].compactMap(\.self))</header>
      <nav class="contents" aria-label="Contents">
      <details>
      <summary>Contents</summary>
      <ol>
      \(lines: document.sections.map { Self.entry($0) })</ol>
      </details>
      </nav>
      <main id="page-main" tabindex="-1">
      \(lines: sections)</main>
      <footer>Written by \(document.generator). This page is complete in itself: nothing is loaded from elsewhere.</footer>
      </div>
      <div id="page-status" class="hidden" role="status"></div>
      <script>\(Markup(trusted: PageFiles.script))</script>
      </body>
      </html>

      """
    return page.html
  }

  /// A line of the table of contents, with those of the subsections below it.
  /// - Parameter depth: How many levels below this one are listed.
  private static func entry(_ section: ReportDocument.Section, depth: Int = 1) -> Markup {
    let below = depth > 0 ? section.subsections.map { entry($0, depth: depth - 1) } : []
    let list: Markup = "<ol>\(below)</ol>"
    return ##"""
      <li><a href="#\##(section.id)">\##(sentence: section.title)</a>\##(list, if: !below.isEmpty)</li>
      """##
  }

  /// Of a table.
  private var mostColumns: Int {
    document.allSections.flatMap(\.blocks).reduce(0) { most, block in
      if case .table(let table) = block { max(most, table.table.columns.count) } else { most }
    }
  }

  private func section(
    _ section: ReportDocument.Section, level: Int, last: [Markup] = []
  ) throws -> Markup {
    let (id, isFolded) = (section.id, section.isFolded == true)
    let blocks = try section.blocks.enumerated().map { index, block in
      try markup(block, in: section, index: index, level: level)
    }
    let subsections = try section.subsections.map { try self.section($0, level: level + 1) }
    let opening: Markup = """
      <details class="folded">
      <summary class="show">Show this section</summary>

      """
    return """
      <section id="\(id)" aria-labelledby="\(id)-heading">
      <h\(min(level, 6)) id="\(id)-heading">\(sentence: section.title)</h\(min(level, 6))>
      \(opening, if: isFolded)\(lines: blocks + last + subsections)\("</details>\n", if: isFolded)</section>

      """
  }

  /// Sentences of methods that a summary on paper has room for.
  private static let longestSummary = 8

  /// Which of the first section's sentences stay in its summary on paper: those of the methods that its chart shows, then the first.
  private func summary(of sentences: [String]) -> Set<Int> {
    let shown = document.sections.first?.blocks.flatMap { block -> [String] in
      if case .overview(let overview) = block {
        overview.comparison?.table.rows.map { $0[0].text } ?? []
      } else {
        []
      }
    }
    let named = Set((shown ?? []).map { "`\($0)`" })
    func isNamed(_ index: Int) -> Bool { named.contains { sentences[index].hasPrefix($0) } }
    let order = sentences.indices.filter(isNamed) + sentences.indices.filter { !isNamed($0) }
    return Set(order.prefix(Self.longestSummary))
  }

  /// From what was found to the frames that show why: the first of the gallery, which is the worst, and the chart of all.
  private func ways(to document: ReportDocument) -> [Markup] {
    let blocks = document.allSections.flatMap(\.blocks)
    let frames = blocks.flatMap { block -> [GalleryBlock.Frame] in
      if case .gallery(let gallery) = block { gallery.frames } else { [] }
    }
    let chart = blocks.contains { block in
      if case .figure(let figure) = block { figure.name == FigureBlock.framesOverTime } else { false }
    }
    var links: [(anchor: String, words: String)] = []
    if let frame = frames.first, let anchor = frame.anchor {
      links.append((anchor, "\(frame.rank): \(frame.title)"))
    }
    if chart { links.append(("chart-" + FigureBlock.framesOverTime, "every frame over time")) }
    guard !links.isEmpty else { return [] }
    let first: Markup = ##"<a href="#\##(links[0].anchor)">\##(links[0].words)</a>"##
    let others = links.dropFirst().map { ##" · <a href="#\##($0.anchor)">\##($0.words)</a>"## as Markup }
    return [
      #"<nav class="ways" aria-label="Frames to look at">Frames to look at: \#([first] + others).</nav>"#
    ]
  }

  private func markup(
    _ block: ReportDocument.Block, in section: ReportDocument.Section, index: Int, level: Int
  ) throws -> Markup {
    switch block {
    case .paragraph(let sentence): return "<p>\(sentence: sentence)</p>"
    case .list(let sentences):
      let summary = section.id == document.sections.first?.id ? summary(of: sentences) : nil
      let items = sentences.enumerated().map { index, sentence -> Markup in
        // A summary on paper has no room for the others.
        let isBeyond = summary?.contains(index) == false
        return #"<li\#(#" class="beyond""#, if: isBeyond)>\#(sentence: sentence)</li>"#
      }
      return "<ul>\n\(lines: items)</ul>\n"
    case .overview(let overview): return try OverviewPage(overview, anchors: anchors, file: file).markup
    case .answer(let answer):
      let lines = answer.lines.map { line -> Markup in
        "<div><dt>\(line.label)</dt><dd>\(sentence: line.text)</dd></div>"
      }
      return "<dl class=\"answer\">\n\(lines: lines)</dl>\n"
    case .table(let table): return TablePage(table, anchors: anchors).markup
    case .figure(let figure): return try markup(figure)
    case .gallery(let gallery):
      return try GalleryPage(section: section.id, index: index, level: min(level + 1, 6), file: file)
        .markup(gallery)
    }
  }

  private func markup(_ figure: FigureBlock) throws -> Markup {
    func drawing(_ path: String, _ size: String) throws -> Markup {
      let chart = try EmbeddedChart(file(path), title: figure.title, file: path)
      return """
        <div class="scroll \(size)" role="region" aria-label="Chart: \(figure.title)" tabindex="0">
        \(chart.markup)
        </div>
        """
    }
    let drawings =
      [try drawing(figure.file, figure.narrowFile == nil ? "only" : "wide")]
      + (try figure.narrowFile.map { [try drawing($0, "narrow")] } ?? [])
    return """
      <figure class="chart" id="chart-\(figure.name)">
      \(lines: drawings)<figcaption>\(sentence: Self.ended(figure.caption ?? figure.alt)) \
      <span class="numbers">Numbers: <code>figures/\(figure.name).csv</code>.</span></figcaption>
      </figure>

      """
  }

  /// With a full stop, so that another sentence can follow.
  private static func ended(_ sentence: String) -> String {
    sentence.hasSuffix(".") || sentence.isEmpty ? sentence : sentence + "."
  }
}
