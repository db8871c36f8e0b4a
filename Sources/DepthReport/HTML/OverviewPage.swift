/// The first screen as its template wants it.
struct OverviewPage: Sendable {
  struct Comparison: Sendable {
    let title: Markup, name: Markup, axis: Markup
    let rows: [[String: Markup]]  // By "name", "bar", "value" and "interval".
  }
  struct Frame: Sendable {
    let anchor: Markup, title: Markup, caption: Markup, pictures: [GalleryPage.Picture]
  }

  let kind: Markup, word: Markup, text: Markup
  let tiles: [[String: Markup]]  // By "label", "value" and "note".
  let comparisons: [Comparison], frames: [Frame]  // None or one of each.

  /// - Parameter anchors: Rows of the page that names may lead to.
  /// - Parameter file: Bytes of a file below the run folder.
  init(_ block: OverviewBlock, anchors: Set<String>, file: (String) throws -> [UInt8]) throws {
    (kind, word, text) = (
      Markup(block.badge.kind.rawValue), Markup(block.badge.word), Markup(sentence: block.badge.text)
    )
    tiles = block.tiles.map {
      ["label": Markup($0.label), "value": Markup(sentence: $0.value), "note": Markup(sentence: $0.note)]
    }
    comparisons = block.comparison.flatMap { Self.comparison($0, anchors) }.map { [$0] } ?? []
    frames =
      try block.frame.map { frame in
        [
          Frame(
            anchor: Markup(frame.anchor ?? ""), title: Markup("\(frame.rank): \(frame.title)"),
            caption: Markup(sentence: frame.caption),
            pictures: try frame.pictures.map { try GalleryPage.Picture($0, file: file) })
        ]
      } ?? []
  }

  /// nil where it has no two columns: a page may be made of anybody's run.
  private static func comparison(_ block: OverviewBlock.Comparison, _ anchors: Set<String>) -> Comparison? {
    let table = block.table
    guard table.columns.count == 2, let scale = IntervalScale(fromZero: table.rows.map { $0[1] }) else {
      return nil
    }
    return Comparison(
      title: Markup(sentence: block.title), name: Markup(table.columns[1].title),
      axis: Markup(trusted: scale.axis),
      rows: table.rows.map { row in
        let name = htmlEscaped(row[0].text)
        let link = row[0].target.flatMap { anchors.contains($0) ? htmlEscaped($0) : nil }
        return [
          "name": Markup(trusted: link.map { ##"<a href="#\##($0)">\##(name)</a>"## } ?? name),
          "bar": Markup(trusted: scale.bar(for: row[1], reference: block.reference)),
          "value": Markup(row[1].number), "interval": Markup(row[1].interval ?? ""),
        ]
      })
  }
}
