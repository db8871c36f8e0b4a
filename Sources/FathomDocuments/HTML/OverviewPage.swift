/// The first screen as a part of the page.
struct OverviewPage {
  let markup: Markup

  /// - Parameter anchors: Rows of the page that names may lead to.
  /// - Parameter file: Bytes of a file below the run folder.
  init(_ block: OverviewBlock, anchors: Set<String>, file: (String) throws -> [UInt8]) throws {
    let tiles = block.tiles.map { tile -> Markup in
      """
      <div><dt>\(tile.label)</dt><dd><span class="value">\(sentence: tile.value)</span> \
      <span class="note">\(sentence: tile.note)</span></dd></div>
      """
    }
    let comparison = block.comparison.flatMap { Self.comparison($0, anchors) }
    let frame = try block.frame.map { frame -> Markup in
      let pictures = try frame.pictures.map { picture -> Markup in
        "<figure>\(try GalleryPage.picture(picture, file: file))</figure>"
      }
      return ##"""
        <figure class="first">
        <figcaption><a href="#\##(frame.anchor ?? "")">\##(frame.rank): \##(frame.title)</a></figcaption>
        <div>
        \##(lines: pictures)</div>
        \##("<p>\(frame.caption)</p>", if: !frame.caption.isEmpty)</figure>
        """##
    }
    markup = """
      <div class="overview">
      <p class="badge \(block.badge.kind.rawValue)"><strong>\(block.badge.word)</strong> \(sentence: block.badge.text)</p>
      <dl class="tiles">
      \(lines: tiles)</dl>
      <div class="pair">
      \(lines: [comparison, frame].compactMap(\.self))</div>
      </div>

      """
  }

  /// nil where it has no two columns: a page may be made of anybody's run.
  private static func comparison(_ block: OverviewBlock.Comparison, _ anchors: Set<String>) -> Markup? {
    let table = block.table
    guard table.columns.count == 2, let scale = IntervalScale(table.rows.map { $0[1] }, fromZero: true) else {
      return nil
    }
    let rows = table.rows.map { row -> Markup in
      let name = ("\(row[0].text)" as Markup).linked(to: row[0].target, among: anchors)
      return """
        <li><span class="name">\(name)</span> \(scale.bar(for: row[1], reference: block.reference)) \
        <span class="number">\(row[1].number) <span class="interval">\(row[1].interval ?? "")</span></span></li>
        """
    }
    return """
      <div class="dots">
      <p><span>\(sentence: block.title)</span> <span>\(table.columns[1].title)</span></p>
      \(scale.axis)
      <ul>
      \(lines: rows)</ul>
      \("<p>\(sentence: block.note ?? "")</p>\n", if: block.note != nil)</div>
      """
  }
}
