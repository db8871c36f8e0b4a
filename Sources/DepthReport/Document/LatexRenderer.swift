/// The measured tables of a document for a paper: booktabs, intervals in small type, the best in bold.
///
/// Every table is a `table` environment with caption and label, so that each can be taken by itself. Compiles with
/// pdfLaTeX, XeLaTeX and LuaLaTeX; names outside Latin script need one of the latter two.
public enum LatexRenderer {
  /// - Parameters:
  ///   - document: Its tables of role `.result` are written; definitions and provenance are not.
  ///   - prefix: Of the labels: "demo" gives `\label{tab:demo-methods}`.
  public static func render(_ document: ReportDocument, prefix: String) -> String {
    let tables = document.allSections.flatMap(\.blocks).compactMap { block -> TableBlock? in
      guard case .table(let table) = block, table.role == .result, !table.table.rows.isEmpty else {
        return nil
      }
      return table
    }
    let head = """
      % \(LatexText.comment(document.title)) (\(document.generator))
      % Preamble: \\usepackage{booktabs} \\usepackage{longtable} \\usepackage{graphicx}

      """
      + (document.caveat.map { "\n\\noindent\\textbf{\(LatexText.inline($0))}\n" } ?? "")
    return head + tables.map { "\n" + self.table($0, prefix: prefix) }.joined()
  }

  /// More rows than this do not fit on a page.
  private static let longest = 40

  private static func table(_ block: TableBlock, prefix: String) -> String {
    let table = block.table
    let columns = table.columns.map { $0.isNumeric ? "r" : "l" }.joined()
    let head = table.columns.map { LatexText.escape($0.title) }.joined(separator: " & ") + " \\\\"
    let rows = table.rows.map { row in row.map(cell).joined(separator: " & ") + " \\\\" }
      .joined(separator: "\n")
    // A table may be taken by itself, so its signs are explained with it.
    let note = table.partialNote.map { " " + $0 } ?? ""
    let caption = LatexText.inline(block.caption + note)
    let label = "tab:" + LatexText.label("\(prefix)-\(block.id)")
    if table.rows.count > longest {
      return """
        {\\footnotesize\\setlength{\\tabcolsep}{3pt}
        \\begin{longtable}{\(columns)}
        \\caption{\(caption)}\\label{\(label)}\\\\
        \\toprule
        \(head)
        \\midrule
        \\endfirsthead
        \\toprule
        \(head)
        \\midrule
        \\endhead
        \\bottomrule
        \\endfoot
        \(rows)
        \\end{longtable}}

        """
    }
    return """
      \\begin{table}
      \\centering\\footnotesize\\setlength{\\tabcolsep}{3pt}
      \\caption{\(caption)}\\label{\(label)}
      \\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%
      \\begin{tabular}{\(columns)}
      \\toprule
      \(head)
      \\midrule
      \(rows)
      \\bottomrule
      \\end{tabular}}
      \\end{table}

      """
  }

  private static func cell(_ cell: DisplayTable.Cell) -> String {
    let value = LatexText.escape(cell.number)
    let shown = cell.isBest == true ? "\\textbf{\(value)}" : value
    // Beneath the value: side by side, a table of five metrics is wider than a page.
    return cell.interval.map { "\\shortstack[r]{\(shown)\\\\{\\tiny \(LatexText.escape($0))}}" } ?? shown
  }
}
