import ArgumentParser
import DepthDataset
import DepthNotebook
import DepthReport
import Foundation
import Logging
import Storage

/// Turns a stored run into a notebook with tidy tables.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a run as tidy tables with a data dictionary and a Jupyter notebook that draws them.",
    discussion: """
      Writes a folder with tables/*.csv, one observation per row, dictionary.csv and DATA-DICTIONARY.md, which say what every \
      column and metric means, analysis.ipynb with its outputs, run.json, the run's own, and export.json. Numbers are those of \
      the run, digit by digit. The outputs need a Python with nbclient, nbformat, ipykernel, pandas and matplotlib; \
      --no-execute writes the notebook without them. The same run and packages give the same bytes.
      """)

  @Argument(help: "Folder of a finished run: Reports/demo.", completion: .directory) var runFolder: String
  @Option(help: "Folder to write (default: Notebooks-export/<run name>).", completion: .directory)
  var output: String?
  @Flag(help: "Replace an existing export.") var overwrite = false
  @Option(help: "Python interpreter that executes the notebook (default: python3 on the PATH).")
  var python: String?
  @Flag(inversion: .prefixedNo, help: "Execute the notebook, so that it holds its outputs.")
  var execute = true
  @Flag(help: "Print what was written as JSON.") var json = false
  @OptionGroup var console: Console

  func validate() throws {
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
    if python != nil && !execute { throw ValidationError("--python and --no-execute exclude each other") }
  }

  func run() throws {
    let executor = execute ? try NotebookExecutor(python: python) : nil
    let export = try NotebookExport(StoredRun(readingFrom: runFolder))
    var sources: [NotebookExport.Source] = []
    for file in export.sources {
      sources.append(
        .init(file: file, sha256: try Digest.sha256(ofFile: export.run.path + "/" + file)))
    }
    let folder = try AtomicFolder(
      output ?? "Notebooks-export/" + export.run.name, kind: .export, overwrite: overwrite)
    for (name, text) in try export.files() { try folder.write(text, to: name) }
    let packages = try executor.map { try run($0, in: folder) }
    let path = folder.path
    try folder.commit(manifest: export.manifest(sources: sources, packages: packages))
    try present(export, path: path)
  }

  /// Puts the outputs into the notebook.
  ///
  /// - Returns: Versions of the packages that made them.
  private func run(
    _ executor: NotebookExecutor, in folder: borrowing AtomicFolder
  ) throws -> [String: String] {
    console.log.info("executing the notebook with \(executor.python)")
    var process: Int32?
    defer { process.map(Interruption.forgets) }
    return try executor.execute(folder.partial + "/" + NotebookExport.notebook) {
      Interruption.endsOnInterrupt($0)
      process = $0
    }
  }

  private func present(_ export: NotebookExport, path: String) throws {
    if json { return try console.show(json: export.overview.json, beside: path) }
    let rows = export.tables.tables.map { ["tables/\($0.name).csv", $0.row, "\($0.content.rows.count)"] }
    let table = DisplayTable(
      columns: [.init("table", numeric: false), .init("one row per", numeric: false), .init("rows")],
      rows: rows)
    try console.show(table.plain, beside: path)
    try console.show("Notebook: \(path)/\(NotebookExport.notebook)", beside: path)
  }
}
