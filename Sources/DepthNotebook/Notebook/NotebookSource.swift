import FathomTables

/// A notebook as a Python file in the percent format, which Jupytext and editors open as a notebook, too:
/// `# %% [markdown] id="range" needs="ranges:abs_rel"` begins a cell that is there where its tables are.
struct NotebookSource: Sendable {
  struct Cell: Sendable {
    let cell: Notebook.Cell
    /// Tables, "ranges", and metrics in tables, "ranges:abs_rel", without which it would have nothing to show.
    let needs: [String]
  }

  let cells: [Cell]
  /// `Resources/analysis.py`.
  static let analysis = NotebookSource(String(decoding: PackageResources.analysis_py, as: UTF8.self))

  /// Lines before the first cell are for those who edit the file.
  init(_ text: String) {
    var cells: [Cell] = []
    var (head, body) = (Substring?.none, [Substring]())
    func finish() { if let head { cells.append(Self.cell(head, body)) } }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(Self.marker) {
        finish()
        (head, body) = (line.dropFirst(Self.marker.count), [])
      } else {
        body.append(line)
      }
    }
    finish()
    self.cells = cells
  }

  /// The cells whose needs these tables meet.
  func cells(for dictionary: TableDictionary) -> [Notebook.Cell] {
    cells.filter { $0.needs.allSatisfy { Self.isMet($0, by: dictionary) } }.map(\.cell)
  }

  private static let marker = "# %%"

  private static func isMet(_ need: String, by dictionary: TableDictionary) -> Bool {
    let parts = need.split(separator: ":").map(String.init)
    guard let table = parts.first.flatMap({ dictionary[$0 + ".csv"] }), table.rows > 0 else { return false }
    return parts.dropFirst().allSatisfy { table.holds($0) }
  }

  private static func cell(_ head: Substring, _ body: [Substring]) -> Cell {
    let kind: Notebook.Cell.Kind = head.contains("[markdown]") ? .markdown : .code
    var lines = body
    if kind == .markdown {
      lines = lines.map { $0.hasPrefix("# ") ? $0.dropFirst(2) : $0.hasPrefix("#") ? $0.dropFirst() : $0 }
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    while lines.first?.isEmpty == true { lines.removeFirst() }
    return Cell(
      cell: Notebook.Cell(id: value(of: "id", in: head), kind: kind, source: lines.joined(separator: "\n")),
      needs: value(of: "needs", in: head).split(separator: " ").map(String.init))
  }

  /// What stands in quotes behind `name=`; empty without it.
  private static func value(of name: String, in head: Substring) -> String {
    guard let start = head.firstRange(of: "\(name)=\"")?.upperBound else { return "" }
    return String(head[start...].prefix { $0 != "\"" })
  }
}
