/// A document as GitHub-flavoured Markdown: plain, with links to the figures and pictures beside it.
public enum MarkdownRenderer {
  /// The page, ending with a line feed.
  /// - Parameter links: What leads from the page's folder to that of the figures and pictures, "../demo/".
  public static func render(_ document: ReportDocument, links: String = "") -> String {
    let caveat = document.caveat.map { ["**\(MarkdownText.inline($0))**"] } ?? []
    let pieces =
      ["# \(MarkdownText.escape(document.title))"] + caveat
      + document.sections.flatMap { parts(of: $0, level: 2, links) }
    return pieces.joined(separator: "\n\n") + "\n"
  }

  private static func parts(of section: ReportDocument.Section, level: Int, _ links: String) -> [String] {
    ["\(String(repeating: "#", count: level)) \(MarkdownText.inline(section.title))"]
      + section.blocks.flatMap { parts(of: $0, links) }
      + section.subsections.flatMap { parts(of: $0, level: level + 1, links) }
  }

  private static func parts(of block: ReportDocument.Block, _ links: String) -> [String] {
    switch block {
    case .paragraph(let text): [MarkdownText.inline(text)]
    case .list(let sentences):
      sentences.isEmpty ? [] : [sentences.map { "- \(MarkdownText.inline($0))" }.joined(separator: "\n")]
    case .table(let block): [String(block.table.markdown.dropLast())]
    case .figure(let figure):
      [picture(MarkdownText.inline(figure.alt), links + figure.file)]
        + (figure.caption.map { [MarkdownText.inline($0)] } ?? [])
    case .gallery(let gallery): parts(of: gallery, links)
    case .overview(let overview):
      ["**\(MarkdownText.escape(overview.badge.word)):** \(MarkdownText.escape(overview.badge.text))"]
    case .answer(let answer):
      answer.lines.map { "**\(MarkdownText.escape($0.label)).** \(MarkdownText.inline($0.text))" }
    }
  }

  private static func parts(of gallery: GalleryBlock, _ links: String) -> [String] {
    gallery.frames.flatMap { frame in
      [
        "**\(MarkdownText.escape("\(frame.rank): \(frame.title)")).** \(MarkdownText.inline(frame.caption))",
        frame.pictures.map { picture(MarkdownText.escape($0.alt), links + $0.file) }.joined(separator: "\n"),
      ]
    }
      + gallery.scales.map { scale in
        let title = MarkdownText.escape(scale.title)
        return "\(MarkdownText.escape(scale.roles.joined(separator: ", "))): \(title).\n"
          + picture(title, links + scale.file)
      }
  }

  private static func picture(_ alt: String, _ file: String) -> String {
    "![\(alt.inAltText)](\(MarkdownText.destination(file)))"
  }
}

extension String {
  /// Brackets would end the text.
  fileprivate var inAltText: String { replacing("[", with: "(").replacing("]", with: ")") }
}
