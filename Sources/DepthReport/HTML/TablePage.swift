import DepthEvaluation
import FathomPlainText

/// A table as its template wants it.
struct TablePage: Sendable {
  let id: Markup, caption: Markup, rowCount: Markup
  let isLong: Bool  // Whether the table is folded away until somebody wants it.
  let isWide: Bool  // Whether the table needs smaller print on paper.
  /// What cannot be broken into lines: the longest words of the columns, one beside the other. Paper has no scroll bar.
  let columnCount: Markup, characterCount: Markup
  /// Names of the columns as CSS: a phone shows each before its value.
  let labels: Markup
  let heads: [Markup]
  let rows: [Markup]  // The cells of each row.
  /// Whether intervals are drawn, and whether a value lies beyond a column's axis.
  let hasBars: Bool, hasArrows: Bool
  /// More rows than this are folded away: definitions that most readers know, results by scene that few read through.
  static let longest = (reference: 14, result: 40)
  private static let longestLine = 28  // Texts of more characters are broken into lines.

  /// - Parameter anchors: Rows of the page that names may lead to.
  init(_ block: TableBlock, anchors: Set<String> = []) {
    let table = block.table
    let scales = table.columns.indices.map { column -> IntervalScale? in
      table.columns[column].isNumeric ? IntervalScale(table.rows.map { $0[column] }) : nil
    }
    id = Markup(block.id)
    caption = Markup(sentence: block.caption)
    rowCount = Markup("\(table.rows.count)")
    isLong = table.rows.count > (block.role == .reference ? Self.longest.reference : Self.longest.result)
    isWide = table.columns.count > 12
    columnCount = Markup("\(table.columns.count)")
    characterCount = Markup("\(Self.unbrokenCharacters(table, breaksHeads: isWide))")
    labels = Markup(
      table.columns.enumerated().dropFirst().map { "; --head-\($0 + 1): \(Self.cssString($1.title))" }
        .joined())
    heads = zip(table.columns, scales).map { Markup(trusted: Self.head($0, $1, anchors)) }
    rows = table.rows.map { row in
      Markup(
        trusted: row.indices.map {
          Self.cell(row[$0], table.columns[$0], scales[$0], isName: $0 == 0, anchors)
        }.joined())
    }
    hasBars = scales.contains { $0 != nil }
    hasArrows = scales.contains { $0?.isExceeded == true }
  }

  /// The rules that show ``labels``, for tables of so many columns.
  static func labelRules(columns: Int) -> String {
    guard columns > 1 else { return "" }
    let rules = (2...columns).map { ".table td:nth-child(\($0))::before { content: var(--head-\($0)); }" }
    return "@media screen and (max-width: 40rem) {\n\(rules.joined(separator: "\n"))\n}\n"
  }

  /// By scalars: a quote with a combining accent is one character to Swift, but ends the string of a style.
  private static func cssString(_ text: String) -> String {
    text.visibleLines.unicodeScalars.reduce(into: "\"") { css, scalar in
      css.unicodeScalars += scalar == "\"" || scalar == "\\" ? ["\\", scalar] : [scalar]
    } + "\""
  }

  /// Characters of a head that stay on one line where heads are broken anywhere: `page.css` gives them that width.
  private static let leastOfHead = 6

  private static func unbrokenCharacters(_ table: DisplayTable, breaksHeads: Bool) -> Int {
    table.columns.indices.reduce(0) { sum, column in
      let cells = table.rows.map { row in
        // An interval stands in smaller print.
        max(longestWord(row[column].number), (row[column].interval?.count ?? 0) * 9 / 10)
      }
      return sum + max(cells.max() ?? 0, breaksHeads ? leastOfHead : longestWord(table.columns[column].title))
    }
  }

  private static func longestWord(_ text: String) -> Int {
    text.split(separator: " ").map(\.count).max() ?? 0
  }

  private static func head(
    _ column: DisplayTable.Column, _ scale: IntervalScale?, _ anchors: Set<String>
  ) -> String {
    let meaning = column.direction.map(meaning)
    let spoken = ([column.name.isEmpty ? "row" : column.name] + [meaning].compactMap { $0 }).joined(
      separator: ", ")
    var label = column.name.isEmpty ? #"<span class="hidden">row</span>"# : htmlEscaped(column.name)
    if let direction = column.direction, let meaning {
      label +=
        #" <span aria-hidden="true">\#(htmlEscaped(direction.arrow))</span><span class="hidden">, \#(meaning)</span>"#
    }
    // Beside the name, which the script makes the button that sorts.
    let what = column.target.map { target in
      anchors.contains(target)
        ? ##"<a class="what" href="#\##(htmlEscaped(target))" aria-label="what \##(htmlEscaped(column.name)) is">?</a>"##
        : ""
    }
    return """
      <th scope="col"\(column.isNumeric ? #" class="number""# : "") data-name="\(htmlEscaped(spoken))">\
      <span class="label">\(label)</span>\(what ?? "")\(scale?.axis ?? "")</th>
      """
  }

  /// A screen reader may say nothing for an arrow, or "downwards arrow".
  private static func meaning(_ direction: Metric.Direction) -> String {
    switch direction {
    case .lowerIsBetter: "lower is better"
    case .higherIsBetter: "higher is better"
    case .zeroIsBest: "closer to zero is better"
    }
  }

  private static func cell(
    _ cell: DisplayTable.Cell, _ column: DisplayTable.Column, _ scale: IntervalScale?, isName: Bool,
    _ anchors: Set<String>
  ) -> String {
    let isMissing = cell.isMissing
    let classes =
      (column.isNumeric ? ["number"] : cell.text.count > longestLine ? ["long"] : [])
      + (isMissing ? ["none"] : [])
    var attributes = classes.isEmpty ? "" : #" class="\#(classes.joined(separator: " "))""#
    if let value = cell.value, value.isFinite { attributes += #" data-value="\#(value)""# }
    if let anchor = cell.anchor { attributes += #" id="\#(htmlEscaped(anchor))""# }
    let link = cell.target.flatMap { anchors.contains($0) ? htmlEscaped($0) : nil }
    let named = link.map { ##"<a href="#\##($0)">\##(shown(cell))</a>"## } ?? shown(cell)
    let content = isMissing ? missing : named + (scale?.bar(for: cell) ?? "")
    return isName ? #"<th scope="row"\#(attributes)>\#(content)</th>"# : "<td\(attributes)>\(content)</td>"
  }

  private static let missing = #"<span aria-hidden="true">–</span><span class="hidden">no value</span>"#

  /// The number, and its interval less loud.
  private static func shown(_ cell: DisplayTable.Cell) -> String {
    let text = htmlEscaped(cell.number)
    return (cell.isBest == true ? #"<strong>\#(text)</strong><span class="hidden"> (best)</span>"# : text)
      + (cell.interval.map { #" <span class="interval">\#(htmlEscaped($0))</span>"# } ?? "")
  }
}
