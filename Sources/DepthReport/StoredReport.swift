public import FathomDocuments
import FathomRunFolders
import FathomTables
import Foundation
import FathomPlainText
public import FathomStorage

/// The report of a folder that Fathom wrote: of `evaluate`, `tune`, `calibrate`, `compare`, `replay` or `reproduce`.
public struct StoredReport: Sendable {
  public let folder: StoredFolder, document: ReportDocument

  /// Reads `report.json`, and compares every file of the folder with its manifest, so that a damaged folder is refused
  /// whatever is to be made of it.
  /// - Throws: `FathomError` `.noInput` where there is no such folder, `.badData` where it holds no report or was damaged.
  public init(readingFrom path: String) throws(FathomError) {
    folder = try StoredFolder(
      path, kinds: FolderKind.allCases.filter(\.hasReport), attempted: "read the report")
    try folder.verify()
    guard folder.has(Self.fileName) else { throw folder.damaged(Self.fileName, "it is not there") }
    let text = try folder.text(of: Self.fileName)
    do { document = try ReportDocument(json: text) } catch {
      throw folder.damaged(Self.fileName, "it is damaged (\(Self.words(error)))")
    }
  }

  private static let fileName = "report.json"

  /// Where in the file what is wrong.
  private static func words(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "it is not JSON" }
    guard case .dataCorrupted(let context) = error else { return error.words() }
    // Counts of cells and columns are checked as they are decoded.
    return context.codingPath.isEmpty
      ? "it is not JSON"
      : context.codingPath.map(\.stringValue).joined(separator: ".") + ": "
        + context.debugDescription.shortened(to: 200)
  }

  /// The folder, without a slash at its end.
  public var path: String { folder.path }
  public var name: String { folder.name }

  /// The page, with the figures and pictures of the folder.
  /// - Throws: `FathomError` where one is gone or damaged.
  public func html() throws -> String {
    do {
      return try HTMLReport(document) { file in try folder.bytes(of: file) }.render()
    } catch let error as PageError {
      throw folder.damaged(error.file, error.reason)
    }
  }

  /// As Markdown, which links to the figures and pictures of the folder.
  /// - Parameter links: What leads from the page's folder to this one, "../demo/".
  /// - Throws: `FathomError` where one is gone.
  public func markdown(links: String) throws(FathomError) -> String {
    for file in document.files { _ = try folder.bytes(of: file) }
    return MarkdownRenderer.render(document, links: links)
  }

  /// Everything in the folder as one JSON object: the report, every other JSON file under its name, and every table but
  /// the times, which differ between equal runs.
  ///
  /// Cells are numbers where the table dictionary says that their column is one, null where they are empty. Tables of a folder without
  /// a dictionary, which an older version wrote, are texts.
  /// - Throws: `FathomError` where a file is damaged.
  public func everything() throws -> String {
    var content: [String: JSONValue] = [:]
    var tables: [String: JSONValue] = [:]
    let dictionary = try TableDictionary(of: folder)
    for file in folder.fileNames {
      let stem = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
      if file.hasSuffix(".json"), file != Self.everythingFile {
        let text = try folder.text(of: file)
        guard let value = try? JSONValue(text: text) else { throw folder.damaged(file, "it is not JSON") }
        content[file == TableDictionary.fileName ? "dictionary" : stem] = value
      } else if file.hasSuffix(".csv"), file != "timing.csv" {
        tables[stem] = JSONValue(try ResultTable(file, of: folder), columns: dictionary?[file]?.columns ?? [])
      }
    }
    content["tables"] = .keyed(tables)
    return try CanonicalJSON.text(JSONValue.keyed(content)) + "\n"
  }

  /// What ``everything()`` is stored as.
  public static let everythingFile = "everything.json"
}
