/// A document as GitHub-flavoured Markdown: plain, with links to the figures and pictures beside it.
public enum MarkdownRenderer {
  /// The page, ending with a line feed.
  ///
  /// - Parameter links: What leads from the page's folder to that of the figures and pictures, "../demo/".
  public static func render(_ document: ReportDocument, links: String = "") -> String {
    let caveat = document.caveat.map { ["**\($0)**"] } ?? []
    let pieces =
      ["# \(document.title)"] + caveat + document.sections.flatMap { parts(of: $0, level: 2, links) }
    return pieces.joined(separator: "\n\n") + "\n"
  }

  private static func parts(
    of section: ReportDocument.Section, level: Int, _ links: String
  ) -> [String] {
    ["\(String(repeating: "#", count: level)) \(section.title)"]
      + section.blocks.flatMap { parts(of: $0, links) }
      + section.subsections.flatMap { parts(of: $0, level: level + 1, links) }
  }

  private static func parts(of block: ReportDocument.Block, _ links: String) -> [String] {
    switch block {
    case .paragraph(let text): [text]
    case .list(let sentences): sentences.isEmpty ? [] : [sentences.map { "- \($0)" }.joined(separator: "\n")]
    case .table(let block): [block.table.markdown.trimmed]
    case .figure(let figure): ["![\(figure.alt.inAltText)](\(links)figures/\(figure.name).svg)"]
    case .gallery(let gallery): parts(of: gallery, links)
    }
  }

  private static func parts(of gallery: GalleryBlock, _ links: String) -> [String] {
    gallery.frames.flatMap { frame in
      [
        "**\(frame.rank): \(frame.title).** \(frame.caption)",
        frame.pictures.map { "![\($0.alt.inAltText)](\(links)\($0.file))" }.joined(separator: "\n"),
      ]
    }
      + gallery.scales.map { scale in
        "\(scale.roles.joined(separator: ", ")): \(scale.title).\n![\(scale.title.inAltText)](\(links)\(scale.file))"
      }
  }
}

extension String {
  /// Without line feeds at its end.
  fileprivate var trimmed: String { String(reversed().drop(while: \.isNewline).reversed()) }

  /// Brackets would end the text.
  fileprivate var inAltText: String { replacing("[", with: "(").replacing("]", with: ")") }
}
