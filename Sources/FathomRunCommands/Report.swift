import FathomCommandLine
import DepthReport
import FathomDocuments
import DepthRendering
package import ArgumentParser
import Foundation
import Logging
import FathomStorage

/// Renders the report of a stored run again.
package struct Report: ParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Render a stored run again: HTML, Markdown, LaTeX tables, or everything as JSON.",
    discussion: """
      RUN is a folder that evaluate, tune, calibrate, compare, replay or reproduce wrote. Nothing is computed: all formats hold the numbers that \
      are stored. html is one page that needs no other file; markdown links to the figures beside it; latex holds the measured \
      tables with booktabs, for a paper: all, or those that --table, --column, --method and --unit choose; json the report, the \
      options and every table.
      """)

  /// What a report can be written as.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case html, markdown, latex, json

    /// Name of the file in the run's folder.
    var fileName: String {
      switch self {
      case .html: "report.html"
      case .markdown: "report.md"
      case .latex: "report.tex"
      case .json: StoredReport.everythingFile
      }
    }

    /// - Parameter output: Where it will stand; nil for the run's folder.
    func text(_ report: StoredReport, at output: String?, _ choice: LatexChoice) throws -> String {
      switch self {
      case .html: try report.html()
      case .markdown: try report.markdown(links: Self.links(from: output, to: report.path))
      case .latex: try Self.latex(report, choice)
      case .json: try report.everything()
      }
    }

    private static func latex(_ report: StoredReport, _ choice: LatexChoice) throws -> String {
      do throws(LatexChoice.Refusal) {
        return try LatexRenderer.render(report.document, prefix: report.name, choice)
      } catch { throw ValidationError("--\(error.option): \(error.reason)") }
    }

    /// What leads from the folder of a page to that of the run, "../demo/"; empty where they are one.
    private static func links(from output: String?, to run: String) -> String {
      guard let output, output != "-" else { return "" }
      func parts(_ path: String) -> [String] {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.pathComponents
      }
      let (page, folder) = (Array(parts(output).dropLast()), parts(run))
      let shared = zip(page, folder).prefix { $0 == $1 }.count
      let steps = Array(repeating: "..", count: page.count - shared) + folder.dropFirst(shared)
      return steps.map { $0 + "/" }.joined()
    }
  }

  @Argument(help: ArgumentHelp("Folder of a run.", valueName: "run"), completion: .directory) var folder:
    String
  @Option(help: "Format to write (default: from the name of --output, else html).") var format: Format?
  @Option(
    help:
      "File, or - for standard output (default: in RUN \(Format.allCases.map(\.fileName).joined(separator: ", ")), replaced where it exists).",
    completion: .file()) var output: String?
  @Flag(help: "Replace an existing file that --output names.") var overwrite = false
  @OptionGroup(title: "LaTeX") var choice: LatexFlags
  @OptionGroup var console: Console

  package func validate() throws {
    if output?.isEmpty == true { throw ValidationError("--output: a file's name is needed") }
    if let output, format == nil, named == nil, let ending = RenderFormat.ending(of: output) {
      throw ValidationError(
        "--output: there is no format '\(ending)'; there are \(Format.allCases.compactMap { RenderFormat.ending(of: $0.fileName) }.joined(separator: ", ")); or say which with --format"
      )
    }
    if let format, let named, format != named {
      throw ValidationError("--output: '\(output ?? "")' is not named as --format \(format.rawValue)")
    }
  }

  /// The format that the file's name asks for; nil for other names.
  private var named: Format? {
    let ending = output.flatMap { RenderFormat.ending(of: $0)?.lowercased() }
    return Format.allCases.first { RenderFormat.ending(of: $0.fileName) == ending }
  }

  package func run() throws {
    let format = format ?? named ?? .html
    if format != .latex, let option = choice.firstGiven {
      throw ValidationError("\(option): only LaTeX takes it; add --format latex")
    }
    let report = try StoredReport(readingFrom: folder)
    let text = try format.text(report, at: output, choice.choice)
    let missing = report.folder.missingTables
    if format == .json, !missing.isEmpty {
      console.log.warning("\(report.path) lacks \(missing.joined(separator: ", ")): skipped")
    }
    if output == "-" {
      let shown = text.hasSuffix("\n") ? String(text.dropLast()) : text
      return format == .json ? try console.show(json: shown) : try console.show(shown)
    }
    let path = output ?? report.path + "/" + format.fileName
    let file = try AtomicFile(path, overwrite: overwrite || output == nil)
    try file.write(Array(text.utf8))
    try file.commit()
    try console.show(path, beside: path)
  }
}

/// What of a report becomes LaTeX.
struct LatexFlags: ParsableArguments {
  @Option(
    help:
      "Tables, comma-separated or repeated, by their name on the page: methods, scenes (default: all measured ones)."
  ) var table: [String] = []
  @Option(help: "Columns, comma-separated or repeated, without units: MAE,RMSE (default: all).") var column:
    [String] = []
  @Option(help: "Rows by their first cell, comma-separated or repeated: auto,ols@disparity (default: all).")
  var method: [String] = []
  @Option(help: "Length unit: m, cm or mm (default: the report's).") var unit: LatexChoice.Unit?

  /// The first option that only LaTeX has; nil where none is given.
  var firstGiven: String? {
    [
      ("--table", !table.isEmpty), ("--column", !column.isEmpty), ("--method", !method.isEmpty),
      ("--unit", unit != nil),
    ].first { $0.1 }?.0
  }

  var choice: LatexChoice {
    func words(_ lists: [String]) -> [String] { lists.flatMap { $0.split(separator: ",").map(String.init) } }
    var choice = LatexChoice()
    (choice.tables, choice.columns, choice.methods) = (words(table), words(column), words(method))
    choice.unit = unit
    return choice
  }
}
