import FathomCommandLine
import FathomDocuments
import DepthRendering
import FathomTables
import FathomRunFolders
package import ArgumentParser
import DepthNotebook
import Foundation
import Logging
import FathomPlainText
import FathomRuns
import FathomStorage

/// Turns a stored run into a notebook with tidy tables.
package struct Export: ParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Export a run as a Jupyter notebook, or a data set in another tool's format.",
    discussion: """
      Writes a folder with analysis.ipynb and its outputs, and beside it what it draws: tables/*.csv, tables.json and run.json, \
      copied from the run byte by byte, DATA-DICTIONARY.md, which says what every column and metric means, and export.json. The \
      outputs need a Python with nbclient, nbformat, ipykernel, pandas and matplotlib; --no-execute writes the notebook without \
      them. The same run and packages give the same bytes. With --as the argument is a data set, or a recording: its depth, \
      confidence, pictures and cameras become a folder in one of the layouts that import reads; what that has no place for is listed.
      """)

  @Argument(
    help: "Folder of a finished run: Reports/demo; with --as, a data set or a recording.",
    completion: .directory) var runFolder: String
  @Option(
    name: .customLong("as"),
    help: "Write a data set as files: stray (Stray Scanner), png16 (millimetres), npz (metres), marigold-dc.")
  var layout: RecordingLayout?
  @Option(help: "With --as, only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @OptionGroup var files: DataFlags
  @Option(help: "Folder to write (default: Notebooks-export/<run name>).", completion: .directory)
  var output: String?
  @Flag(help: "Replace an existing export.") var overwrite = false
  @Option(help: "Python interpreter that executes the notebook (default: python3 in PATH).")
  var python: String?
  @Flag(inversion: .prefixedNo, help: "Execute the notebook, so that it contains its outputs.")
  var execute = true
  @Flag(help: "Print what was written as JSON.") var json = false
  @OptionGroup var console: Console

  package func validate() throws {
    if layout == nil, !scenes.isEmpty { throw ValidationError("--scenes: it belongs to --as") }
    if layout == nil, files.mapping != nil { throw ValidationError("--mapping: it belongs to --as") }
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
    if python != nil && !execute { throw ValidationError("--python and --no-execute exclude each other") }
  }

  package func run() throws {
    if let layout { return try writeFiles(layout) }
    let executor = execute ? try NotebookExecutor(python: python) : nil
    let export = try NotebookExport(StoredRun(readingFrom: runFolder))
    let folder = try AtomicFolder(
      output ?? "Notebooks-export/" + export.run.name, kind: .export, overwrite: overwrite)
    var sources: [NotebookExport.Source] = []
    for (file, copy) in export.copies {
      let bytes = try export.run.folder.bytes(of: file)
      sources.append(.init(file: file, sha256: Digest.hexadecimal(bytes)))
      try folder.write(bytes, to: copy)
    }
    for (name, text) in try export.files() { try folder.write(text, to: name) }
    let packages = try executor.map { try run($0, in: folder) }
    let path = folder.path
    try folder.commit(manifest: export.manifest(sources: sources, packages: packages))
    try present(export, path: path)
  }

  private func writeFiles(_ layout: RecordingLayout) throws {
    var job = RecordingExportJob(runFolder, as: layout)
    (job.scenes, job.external) = (SceneChoice(scenes), files.external)
    job.mapping = files.mapping
    let stem = URL(fileURLWithPath: runFolder).deletingPathExtension().lastPathComponent
    let folder = try AtomicFolder(output ?? "\(stem)-\(layout.rawValue)", kind: .export, overwrite: overwrite)
    let path = folder.path
    let result = try job.run(into: folder, console.observe)
    let manifest = try CanonicalJSON.text(result)
    try folder.commit(manifest: manifest)
    if json { return try console.show(json: manifest, beside: path) }
    for scene in result.scenes {
      try console.show("\(scene.name.visible): \(counted(scene.frames, "frame"))", beside: path)
      for left in scene.left { try console.show("  not in the files: \(left.visible)", beside: path) }
    }
    try console.show("\(path.visible): written; \(layout.importWords) reads it", beside: path)
  }

  /// Puts the outputs into the notebook.
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
    let rows = export.dictionary.tables.map { ["tables/\($0.file)", $0.row, "\($0.rows)"] }
    let table = DisplayTable(
      columns: [.text("table"), .text("one row per"), .init("rows")],
      rows: rows)
    try console.show(table.plain, beside: path)
    try console.show("Notebook: \(path)/\(NotebookExport.notebook)", beside: path)
  }
}
