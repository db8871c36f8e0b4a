public import DepthReport
import Foundation
public import Storage

/// Everything that an export of a run writes, but for the outputs of its notebook.
public struct NotebookExport: Sendable {
  /// A file of the run that something was made from.
  public struct Source: Codable, Sendable {
    public var file: String
    /// Hex.
    public var sha256: String

    public init(file: String, sha256: String) { (self.file, self.sha256) = (file, sha256) }
  }

  /// `export.json`: what the export was made from and with. It also marks the folder as one that may be replaced.
  private struct Manifest: Encodable {
    struct Table: Encodable {
      let name: String, rows: Int, columns: [String]
    }

    let tool = "fathom", version = Version.current
    let run: String, runVersion: String
    let sources: [Source]
    let tables: [Table]
    /// Versions of the packages that executed the notebook; absent where it was not executed.
    let packages: [String: String]?
  }

  /// File name of the notebook.
  public static let notebook = "analysis.ipynb"

  public let run: StoredRun
  public let tables: TidyTables
  /// `run.json`, to the byte.
  private let manifestText: String

  /// - Throws: `FathomError` where a table of the run is damaged or missing.
  public init(_ run: StoredRun) throws(FathomError) {
    self.run = run
    tables = try TidyTables(run)
    manifestText = try run.folder.text(of: FolderKind.run.marker)
  }

  /// Files of the run that the export is made from.
  public var sources: [String] { Set(tables.tables.map(\.source) + ["run.json"]).sorted() }

  /// File name and text, the notebook without outputs.
  public func files() throws -> [(name: String, text: String)] {
    let dictionary = DataDictionary(tables, of: run)
    return tables.tables.map { ("tables/\($0.name).csv", $0.content.csv) } + [
      ("dictionary.csv", dictionary.table.csv), ("DATA-DICTIONARY.md", dictionary.page),
      ("run.json", manifestText), (Self.notebook, try Notebook(of: tables).json),
    ]
  }

  /// Text of `export.json`.
  ///
  /// - Parameter packages: Of the execution; nil where the notebook was not executed.
  public func manifest(sources: [Source], packages: [String: String]?) throws -> String {
    let manifest = Manifest(
      run: run.name, runVersion: run.manifest.version, sources: sources,
      tables: tables.tables.map {
        .init(name: $0.name, rows: $0.content.rows.count, columns: $0.content.columns)
      }, packages: packages)
    return try CanonicalJSON.text(manifest) + "\n"
  }

  /// What was written, a row per table.
  public var overview: DataTable {
    DataTable(
      columns: ["file", "rows", "columns"],
      rows: tables.tables.map {
        [
          .text("tables/\($0.name).csv"), .integer($0.content.rows.count),
          .integer($0.content.columns.count),
        ]
      })
  }
}
