public import FathomRunFolders
public import FathomTables
import Foundation
public import FathomStorage

/// A run as a notebook: its tables as they are, what they mean, and the analysis that draws them, without outputs.
public struct NotebookExport: Sendable {
  /// A file of the run that is part of the export.
  public struct Source: Codable, Sendable {
    public var file: String
    /// Hex.
    public var sha256: String
    public init(file: String, sha256: String) { (self.file, self.sha256) = (file, sha256) }
  }

  /// `export.json`: what the export was made from and with. It also marks the folder as one that may be replaced.
  private struct Manifest: Encodable {
    let tool = "fathom", version = Version.current
    let run: String, runVersion: String, sources: [Source]
    /// Versions of the packages that executed the notebook; absent where it was not executed.
    let packages: [String: String]?
  }

  /// File name of the notebook.
  public static let notebook = "analysis.ipynb"
  public let run: StoredRun
  /// What the run's tables mean.
  public let dictionary: TableDictionary

  /// - Throws: `FathomError` where a file of the run is damaged or missing.
  public init(_ run: StoredRun) throws(FathomError) {
    self.run = run
    guard let dictionary = try TableDictionary(of: run.folder) else {
      throw FathomError(
        .badData, attempted: "export the run", place: run.path,
        reason: "it has no \(TableDictionary.fileName), as version \(run.folder.version) wrote none",
        advice: "evaluate again with this version")
    }
    // The longest table need not be kept with a run.
    self.dictionary = TableDictionary(dictionary) {
      run.folder.has($0.file) || !FolderKind.dispensable.contains($0.file)
    }
  }

  /// Files of the run that are part of the export, and where they stand in it.
  public var copies: [(file: String, copy: String)] {
    dictionary.tables.map { ($0.file, "tables/\($0.file)") }
      + [TableDictionary.fileName, RunManifest.fileName].map { ($0, $0) }
  }

  /// File name and text of what is made for the export, the notebook without outputs.
  public func files() throws -> [(name: String, text: String)] {
    [
      ("DATA-DICTIONARY.md", DictionaryPage(dictionary: dictionary, run: run).text),
      (Self.notebook, try Notebook(of: dictionary, hasLidar: run.hasLidar).json),
    ]
  }

  /// Text of `export.json`.
  /// - Parameter packages: Of the execution; nil where the notebook was not executed.
  public func manifest(sources: [Source], packages: [String: String]?) throws -> String {
    try CanonicalJSON.text(
      Manifest(run: run.name, runVersion: run.manifest.version, sources: sources, packages: packages)) + "\n"
  }

  /// What was written, a row per table.
  public var overview: DataTable {
    DataTable(
      columns: ["file", "rows", "columns"],
      rows: dictionary.tables.map {
        [.text("tables/\($0.file)"), .integer($0.rows), .integer($0.columns.count)]
      })
  }
}
