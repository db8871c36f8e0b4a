import FathomStatistics
import FathomPlainText

/// A table as a part of the page.
struct TablePage: Sendable {
  private let block: TableBlock, anchors: Set<String>
  private var table: DisplayTable { block.table }
  /// More rows than this are folded away: definitions that most readers know, results by scene that few read through.
  static let longest = (reference: 14, result: 40)
  private static let longestLine = 28  // Texts of more characters are broken into lines.

  /// - Parameter anchors: Rows of the page that names may lead to.
  init(_ block: TableBlock, anchors: Set<String> = []) { (self.block, self.anchors) = (block, anchors) }

  /// Whether the table is folded away until somebody wants it.
  var isLong: Bool {
    table.rows.count > (block.role == .reference ? Self.longest.reference : Self.longest.result)
  }

  var markup: Markup {
    let scales = table.columns.indices.map { column -> IntervalScale? in
      table.columns[column].isNumeric ? IntervalScale(table.rows.map { $0[column] }) : nil
    }
    let isWide = table.columns.count > 12  // Needs smaller print on paper.
    // What cannot be broken into lines: the longest words of the columns, one beside the other. Paper has no scroll bar.
    let characters = Self.unbrokenCharacters(table, breaksHeads: isWide)
    // Names of the columns as CSS: a phone shows each before its value.
    let labels = table.columns.enumerated().dropFirst().map {
      "; --head-\($0 + 1): \(Self.cssString($1.title))"
    }.joined()
    let caption: Markup =
      isLong
      ? """
      <details>
      <summary id="table-\(block.id)-caption">\(sentence: block.caption) <span class="count">(\(table.rows.count) rows)</span></summary>
      """ : #"<figcaption id="table-\#(block.id)-caption">\#(sentence: block.caption)</figcaption>"#
    let rows = table.rows.map { row -> Markup in
      let cells = row.indices.map { cell(row[$0], table.columns[$0], scales[$0], isName: $0 == 0) }
      return "<tr>\(cells)</tr>"
    }
    let arrow: Markup = """
      ; <svg class="bar arrow" aria-hidden="true" width="7" height="9"><path d="M0,1 L6,4.5 L0,8 z"/></svg> \
      an arrowhead lies beyond that scale
      """
    let key: Markup = """
      <p class="key"><svg class="bar sample" aria-hidden="true" width="48" height="9">\
      <line x1="12%" x2="88%" y1="50%" y2="50%"/><circle cx="46%" cy="50%" r="3"/></svg> Estimate and 95 % interval; \
      each column has a scale of its own, whose ends stand below its name\
      \(arrow, if: scales.contains { $0?.isExceeded == true }).</p>

      """
    return """
      <figure class="table\(" wide", if: isWide)" id="table-\(block.id)" \
      style="--columns: \(table.columns.count); --characters: \(characters)\(labels)">
      \(caption)
      <div class="scroll" role="region" aria-labelledby="table-\(block.id)-caption" tabindex="0">
      <table aria-labelledby="table-\(block.id)-caption">
      <thead><tr>\(zip(table.columns, scales).map(head))</tr></thead>
      <tbody>
      \(lines: rows)</tbody>
      </table>
      </div>
      \(key, if: scales.contains { $0 != nil })\("</details>\n", if: isLong)</figure>

      """
  }

  /// The rules that show the names of columns, for tables of so many columns.
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

  private func head(_ column: DisplayTable.Column, _ scale: IntervalScale?) -> Markup {
    let meaning = column.direction.map(Self.meaning)
    let spoken = ([column.name.isEmpty ? "row" : column.name] + [meaning].compactMap { $0 }).joined(
      separator: ", ")
    let label: Markup = column.name.isEmpty ? #"<span class="hidden">row</span>"# : "\(column.name)"
    let better = column.direction.map { direction -> Markup in
      """
       <span aria-hidden="true">\(direction.arrow)</span><span class="hidden">, \(Self.meaning(direction))</span>
      """
    }
    // Beside the name, which the script makes the button that sorts.
    let what = column.target.flatMap { target -> Markup? in
      anchors.contains(target)
        ? ##"<a class="what" href="#\##(target)" aria-label="what \##(column.name) is">?</a>"## : nil
    }
    return """
      <th scope="col"\(#" class="number""#, if: column.isNumeric) data-name="\(spoken)">\
      <span class="label">\(label)\(better ?? "")</span>\(what ?? "")\(scale?.axis ?? "")</th>
      """
  }

  /// A screen reader may say nothing for an arrow, or "downwards arrow".
  private static func meaning(_ direction: BetterDirection) -> String {
    switch direction {
    case .lowerIsBetter: "lower is better"
    case .higherIsBetter: "higher is better"
    case .zeroIsBest: "closer to zero is better"
    }
  }

  private func cell(
    _ cell: DisplayTable.Cell, _ column: DisplayTable.Column, _ scale: IntervalScale?, isName: Bool
  ) -> Markup {
    let classes =
      (column.isNumeric ? ["number"] : cell.text.count > Self.longestLine ? ["long"] : [])
      + (cell.isMissing ? ["none"] : [])
    let attributes: [Markup?] = [
      classes.isEmpty ? nil : #" class="\#(classes.joined(separator: " "))""#,
      cell.value.flatMap { $0.isFinite ? #" data-value="\#("\($0)")""# : nil },
      cell.anchor.map { #" id="\#($0)""# },
    ]
    let named = Self.shown(cell).linked(to: cell.target, among: anchors)
    let content: Markup = cell.isMissing ? Self.missing : "\(named)\(scale?.bar(for: cell) ?? "")"
    return isName
      ? #"<th scope="row"\#(attributes.compactMap(\.self))>\#(content)</th>"#
      : "<td\(attributes.compactMap(\.self))>\(content)</td>"
  }

  private static let missing: Markup =
    #"<span aria-hidden="true">–</span><span class="hidden">no value</span>"#

  /// The number, and its interval less loud.
  private static func shown(_ cell: DisplayTable.Cell) -> Markup {
    let interval = cell.interval.map { #" <span class="interval">\#($0)</span>"# as Markup } ?? ""
    return cell.isBest == true
      ? #"<strong>\#(cell.number)</strong><span class="hidden"> (best)</span>\#(interval)"#
      : "\(cell.number)\(interval)"
  }
}
