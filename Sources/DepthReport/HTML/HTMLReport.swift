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
    let templates = try PageTemplates()
    let content = PageContent(
      tab: Markup((document.badge.map { $0.word + " · " } ?? "") + document.title),
      title: Markup(document.title), caveats: document.caveat.map { [Markup(sentence: $0)] } ?? [],
      generator: Markup(document.generator), policy: PageTemplates.policy,
      style: Markup(trusted: PageTemplates.style.renderText + TablePage.labelRules(columns: mostColumns)),
      script: PageTemplates.script, contents: document.sections.map { ContentsEntry($0) },
      sections: try document.sections.enumerated().map { index, part in
        try section(part, level: 2, templates, last: index == 0 ? ways(to: document) : [])
      })
    return templates.markup("page", content).renderText
  }

  /// Of a table.
  private var mostColumns: Int {
    document.allSections.flatMap(\.blocks).reduce(0) { most, block in
      if case .table(let table) = block { max(most, table.table.columns.count) } else { most }
    }
  }

  private func section(
    _ section: ReportDocument.Section, level: Int, _ templates: PageTemplates, last: [Markup] = []
  ) throws -> Markup {
    let content = SectionContent(
      id: Markup(section.id), level: Markup("\(min(level, 6))"), title: Markup(sentence: section.title),
      isFolded: section.isFolded == true,
      blocks: try section.blocks.enumerated().map { index, block in
        try markup(block, in: section, index: index, level: level, templates)
      } + last,
      subsections: try section.subsections.map { try self.section($0, level: level + 1, templates) })
    return templates.markup("section", content)
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
      if case .figure(let figure) = block { figure.name == FrameStripFigure.name } else { false }
    }
    var links: [(anchor: String, words: String)] = []
    if let frame = frames.first, let anchor = frame.anchor {
      links.append((anchor, "\(frame.rank): \(frame.title)"))
    }
    if chart { links.append(("chart-" + FrameStripFigure.name, "every frame over time")) }
    guard !links.isEmpty else { return [] }
    let markup = links.map { ##"<a href="#\##(htmlEscaped($0.anchor))">\##(htmlEscaped($0.words))</a>"## }
    return [
      Markup(
        trusted:
          #"<nav class="ways" aria-label="Frames to look at">Frames to look at: \#(markup.joined(separator: " · ")).</nav>"#
      )
    ]
  }

  private func markup(
    _ block: ReportDocument.Block, in section: ReportDocument.Section, index: Int, level: Int,
    _ templates: PageTemplates
  ) throws -> Markup {
    switch block {
    case .paragraph(let sentence): return Markup(trusted: "<p>\(Markup(sentence: sentence).renderText)</p>")
    case .list(let sentences):
      let summary = section.id == document.sections.first?.id ? summary(of: sentences) : nil
      let items = sentences.indices.map {
        ListItem(text: Markup(sentence: sentences[$0]), isBeyondSummary: summary?.contains($0) == false)
      }
      return templates.markup("list", ["items": items])
    case .overview(let overview):
      return templates.markup("overview", try OverviewPage(overview, anchors: anchors, file: file))
    case .answer(let answer):
      let lines = answer.lines.map { ["label": Markup($0.label), "text": Markup(sentence: $0.text)] }
      return templates.markup("answer", ["lines": lines])
    case .table(let table): return templates.markup("table", TablePage(table, anchors: anchors))
    case .figure(let figure):
      let (wide, narrow) = (
        try chart(figure, figure.file), try figure.narrowFile.map { try chart(figure, $0) }
      )
      return templates.markup(
        "figure",
        FigureContent(
          name: Markup(figure.name), title: Markup(figure.title),
          caption: Markup(sentence: Self.ended(figure.caption ?? figure.alt)),
          drawings: [.init(size: Markup(narrow == nil ? "only" : "wide"), svg: wide)]
            + (narrow.map { [.init(size: Markup("narrow"), svg: $0)] } ?? [])))
    case .gallery(let gallery):
      let page = try GalleryPage(
        gallery, section: section.id, index: index, level: min(level + 1, 6), file: file)
      return templates.markup("gallery", page)
    }
  }

  private func chart(_ figure: FigureBlock, _ path: String) throws -> Markup {
    try EmbeddedChart(file(path), title: figure.title, file: path).markup
  }

  /// With a full stop, so that another sentence can follow.
  private static func ended(_ sentence: String) -> String {
    sentence.hasSuffix(".") || sentence.isEmpty ? sentence : sentence + "."
  }
}
