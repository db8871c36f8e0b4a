/// The measured tables of a document for a paper: booktabs, intervals in small type, the best in bold.
///
/// Every table is a `table` environment with caption and label, so that each can be taken by itself; nothing is shrunk. Compiles with
/// pdfLaTeX, XeLaTeX and LuaLaTeX; names outside Latin script need one of the latter two.
public enum LatexRenderer {
  /// - Parameter document: Its tables of role `.result` are written; definitions and provenance are not.
  /// - Parameter prefix: Of the labels: "demo" gives `\label{tab:demo-methods}`.
  /// - Throws: `LatexChoice.Refusal` where the choice names what is not there.
  public static func render(
    _ document: ReportDocument, prefix: String, _ choice: LatexChoice = LatexChoice()
  ) throws(LatexChoice.Refusal) -> String {
    let tables = try choice.blocks(of: document)
    let head = """
      % \(LatexText.comment(document.title)) (\(LatexText.comment(document.generator)))
      % Preamble: \\usepackage{array} \\usepackage{booktabs} \\usepackage{longtable}

      """ + (document.caveat.map { "\n\\noindent\\textbf{\(LatexText.inline($0))}\n" } ?? "")
    return head + tables.map { "\n" + self.table($0, prefix: prefix) }.joined()
  }

  private static let longest = 40  // More rows than this do not fit on a page.
  /// Room between the margins of LaTeX's own classes, and what a letter takes of it in footnote size, points. A table that is
  /// wider stands in parts below each other: letters that are shrunk to fit cannot be read.
  private static let lineWidth = 345.0, letterWidth = 4.3, columnGap = 6.0
  /// Texts that are wider are broken into lines: names of rows earlier than what stands beside them.
  private static let (widestName, narrowestText) = (110.0, 150.0)

  private static func table(_ block: TableBlock, prefix: String) -> String {
    let table = block.table
    // A table may be taken by itself, so its signs are explained with it.
    let note = table.partialNote.map { " " + $0 } ?? ""
    let caption = LatexText.inline(block.caption + note)
    let label = "tab:" + LatexText.label("\(prefix)-\(block.id)")
    let parts = self.parts(of: table)
    if table.rows.count > longest {
      return parts.enumerated().map { index, columns in
        let number = parts.count > 1 ? " Part \(index + 1) of \(parts.count)." : ""
        return long(
          table, columns, caption: caption + number, label: index == 0 ? label : "\(label)-\(index + 1)")
      }.joined(separator: "\n")
    }
    let tabulars = parts.map { tabular(table, $0) }.joined(separator: "\n\\medskip\n\n")
    return """
      \\begin{table}
      \\centering\\footnotesize\\setlength{\\tabcolsep}{3pt}
      \\caption{\(caption)}\\label{\(label)}
      \(tabulars)
      \\end{table}

      """
  }

  private static func head(_ table: DisplayTable, _ columns: [Int]) -> String {
    columns.map { LatexText.escape(table.columns[$0].title) }.joined(separator: " & ") + " \\\\"
  }

  private static func rows(_ table: DisplayTable, _ columns: [Int]) -> String {
    table.rows.map { row in columns.map { cell(row[$0]) }.joined(separator: " & ") + " \\\\" }
      .joined(separator: "\n")
  }

  private static func alignment(_ table: DisplayTable, _ columns: [Int]) -> String {
    columns.map { column in
      if table.columns[column].isNumeric { return "r" }
      return natural(table, column) > width(table, column)
        ? ">{\\raggedright\\arraybackslash}p{\(Int(width(table, column) - columnGap))pt}" : "l"
    }.joined()
  }

  private static func tabular(_ table: DisplayTable, _ columns: [Int]) -> String {
    """
    \\begin{tabular}{\(alignment(table, columns))}
    \\toprule
    \(head(table, columns))
    \\midrule
    \(rows(table, columns))
    \\bottomrule
    \\end{tabular}
    """
  }

  private static func long(_ table: DisplayTable, _ columns: [Int], caption: String, label: String) -> String
  {
    """
    {\\footnotesize\\setlength{\\tabcolsep}{3pt}
    \\begin{longtable}{\(alignment(table, columns))}
    \\caption{\(caption)}\\label{\(label)}\\\\
    \\toprule
    \(head(table, columns))
    \\midrule
    \\endfirsthead
    \\toprule
    \(head(table, columns))
    \\midrule
    \\endhead
    \\bottomrule
    \\endfoot
    \(rows(table, columns))
    \\end{longtable}}

    """
  }

  /// What a column takes where none of its cells is broken into lines.
  private static func natural(_ table: DisplayTable, _ column: Int) -> Double {
    let cells = table.rows.map { row in
      max(row[column].number.count, (row[column].interval?.count ?? 0) * 4 / 5)
    }
    return Double(max(table.columns[column].title.count, cells.max() ?? 0)) * letterWidth + columnGap
  }

  private static func width(_ table: DisplayTable, _ column: Int) -> Double {
    let natural = natural(table, column)
    guard !table.columns[column].isNumeric else { return natural }
    if column == 0 { return min(natural, widestName) }
    // A text that is long anyway takes what is left beside the names; others keep their place in a row.
    let left = lineWidth - width(table, 0)
    let texts = table.columns.indices.dropFirst().count {
      !table.columns[$0].isNumeric && self.natural(table, $0) > narrowestText
    }
    return min(natural, texts > 1 ? max(narrowestText, left / Double(texts)) : left)
  }

  /// Columns that fit beside each other; the first one, which names the rows, begins every part.
  private static func parts(of table: DisplayTable) -> [[Int]] {
    guard !table.columns.isEmpty else { return [[]] }
    let first = width(table, 0)
    var parts: [[Int]] = []
    var (part, taken) = ([0], first)
    for column in table.columns.indices.dropFirst() {
      let own = width(table, column)
      if part.count > 1, taken + own > lineWidth {
        parts.append(part)
        (part, taken) = ([0], first)
      }
      part.append(column)
      taken += own
    }
    return parts + [part]
  }

  private static func cell(_ cell: DisplayTable.Cell) -> String {
    let value = LatexText.escape(cell.number)
    let shown = cell.isBest == true ? "\\textbf{\(value)}" : value
    // Beneath the value: side by side, a table of five metrics is wider than a page.
    return cell.interval.map { "\\shortstack[r]{\(shown)\\\\{\\scriptsize \(LatexText.escape($0))}}" }
      ?? shown
  }
}
