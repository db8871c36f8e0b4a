/// What the template of the page is filled with.
struct PageContent: Sendable {
  let tab: Markup  // What a browser's tab says.
  let title: Markup
  let caveats: [Markup]  // None or one.
  let generator: Markup, policy: Markup, style: Markup, script: Markup
  let contents: [ContentsEntry], sections: [Markup]
}

/// A line of the table of contents, with those of the subsections below it.
struct ContentsEntry: Sendable {
  let id: Markup, title: Markup, entries: [ContentsEntry]
  var hasEntries: Bool

  /// - Parameter depth: How many levels below this one are listed.
  init(_ section: ReportDocument.Section, depth: Int = 1) {
    id = Markup(section.id)
    title = Markup(sentence: section.title)
    entries = depth > 0 ? section.subsections.map { ContentsEntry($0, depth: depth - 1) } : []
    hasEntries = !entries.isEmpty
  }
}

/// What the template of a section is filled with.
struct SectionContent: Sendable {
  let id: Markup
  let level: Markup  // Of the heading, 2 to 6.
  let title: Markup, isFolded: Bool, blocks: [Markup], subsections: [Markup]
}

/// What the template of a list is filled with, line by line.
struct ListItem: Sendable {
  let text: Markup
  /// Whether a summary on paper has no room for it.
  let isBeyondSummary: Bool
}

/// What the template of a chart is filled with.
struct FigureContent: Sendable {
  /// One that the page shows where it has the room.
  struct Drawing: Sendable {
    let size: Markup  // "wide", "narrow", or "only" for one that is shown everywhere.
    let svg: Markup
  }

  let name: Markup, title: Markup, caption: Markup, drawings: [Drawing]
}
