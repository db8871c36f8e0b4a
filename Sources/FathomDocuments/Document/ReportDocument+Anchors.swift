extension ReportDocument {
  /// Places that links may lead to: cells and frames of galleries with an anchor.
  var anchors: Set<String> {
    Set(
      allSections.flatMap(\.blocks).flatMap { block -> [String] in
        switch block {
        case .table(let table): table.table.rows.joined().compactMap(\.anchor)
        case .gallery(let gallery): gallery.frames.compactMap(\.anchor)
        default: []
        }
      })
  }
}
