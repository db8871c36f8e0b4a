import FathomDocuments

/// Every kind of block, with names that would run, close an element, turn the text around or need much room.
enum HostileReport {
  static let names = [
    "<script>document.title = \"owned\"</script>", "\"><img src=x onerror=\"document.title = 'owned'\">",
    "' onmouseover='document.title = 1", "\"\u{301} onmouseover=\"document.title = 1",
    "</table></main><h1>gone",
    "<\u{338}svg onload=alert(1)>", "חדר שינה 3", "\u{202E}dlrow", "🛋️ living room 👩‍👩‍👧", "a\u{0}b\u{7}c",
    "&lt;b&gt; & &amp;", "{{{script}}} {{title}}", "]]> <!-- -->", String(repeating: "room", count: 60),
  ]

  static var fixture: Fixture {
    Fixture(
      name: "hostile",
      document: ReportDocument(
        title: "\(names[0]) & \(names[1])", caveat: "Caveat of \(names[1]) in `\(names[0])`",
        sections: [
          .init(
            "findings", "Findings",
            [.list(names.map { "In `\($0)` the **best of \($0)** is 3 mm." }), .paragraph(names[4])]),
          .init(
            "rows", "Rows of \(names[0])", [.table(TableBlock("rows", caption: "Of \(names[1])", table))],
            subsections: [
              .init(
                "chart", "Chart of \(names[2])",
                [.figure(FigureBlock(name: "wordy", title: names[1], alt: names[2]))]),
              .init("gallery", "Gallery of \(names[7])", [.gallery(gallery)]),
            ]),
        ]),
      files: ["figures/wordy.svg": Array(wordyChart.utf8), "gallery/dot.gif": dot])
  }

  private static var table: DisplayTable {
    DisplayTable(
      columns: [DisplayTable.Column(names[0], numeric: false), DisplayTable.Column("MAE \(names[1]) ↓")],
      cells: names.enumerated().map { index, name in
        var number = DisplayTable.Cell(index == 3 ? "–" : "0.\(index) [0.\(index), 1.\(index)]")
        if index != 3 {
          (number.value, number.low) = (Double(index) / 10, Double(index) / 10)
          (number.high, number.isBest) = (1 + Double(index) / 10, index == 0)
        }
        return [DisplayTable.Cell(name), number]
      })
  }

  private static var gallery: GalleryBlock {
    GalleryBlock(
      frames: names.map { name in
        .init(
          rank: "worst", title: name, caption: "AbsRel of \(name)",
          pictures: ["image", "LiDAR", names[0]].map { .init(role: $0, file: "gallery/dot.gif", alt: name) })
      }, scales: [.init(roles: ["LiDAR", names[0]], title: names[1], file: "gallery/dot.gif")])
  }

  /// A chart whose words are markup; one that holds markup that acts is refused.
  private static let wordyChart = """
    <?xml version="1.0" encoding="utf-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" width="720" height="300" viewBox="0 0 720 300">
    <rect x="20" y="20" width="680" height="260" fill="#56b4e9"/>
    <text x="40" y="60">&lt;script&gt;document.title = "owned"&lt;/script&gt;</text>
    </svg>
    """

  /// A GIF of one pixel.
  private static let dot: [UInt8] = [
    0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0x56, 0xB4, 0xE9, 0xFF, 0xFF, 0xFF, 0x2C, 0,
    0, 0, 0,
    1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
  ]
}
