import Foundation

/// Why a folder with a report could not be read.
public struct StoredReportError: Error, Sendable, CustomStringConvertible {
  public let path: String
  public let reason: String
  public let advice: String
  /// There is no such folder, rather than something amiss in it.
  public let isMissing: Bool

  public var description: String {
    "cannot read \(path): \(reason); \(advice)".split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

/// A folder that Fathom wrote, with a report in it: of `evaluate`, `tune`, `calibrate` or `compare`.
public struct StoredReport: Sendable {
  /// The folder, without a slash at its end.
  public let path: String
  public let document: ReportDocument

  /// Reads `report.json`.
  ///
  /// - Throws: `StoredReportError`, missing where there is no such folder, else because it holds no report or a damaged
  ///   one.
  public init(readingFrom path: String) throws(StoredReportError) {
    var trimmed = path[...]
    while trimmed.count > 1 && trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.path = String(trimmed)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: self.path, isDirectory: &isFolder) else {
      throw StoredReportError(
        path: path, reason: "there is no such folder", advice: "give a folder that \(Self.writers) wrote",
        isMissing: true)
    }
    guard isFolder.boolValue else {
      throw StoredReportError(
        path: path, reason: "it is a file", advice: "give a folder that \(Self.writers) wrote",
        isMissing: false)
    }
    kind = FolderKind.kinds(in: self.path).first
    guard let data = FileManager.default.contents(atPath: self.path + "/report.json") else {
      let other = kind.flatMap { $0.hasReport ? nil : $0 }
      let reason = other.map { "it is a folder of fathom \($0.command), which has no report" }
      throw StoredReportError(
        path: self.path, reason: reason ?? "it holds no report.json",
        advice: kind?.hasReport == true
          ? Self.remedy(kind) : "give a folder that \(Self.writers) of this version wrote", isMissing: false)
    }
    do { document = try ReportDocument(json: String(decoding: data, as: UTF8.self)) } catch {
      throw StoredReportError(
        path: self.path + "/report.json", reason: "it is damaged (\(Self.words(error)))",
        advice: Self.remedy(kind), isMissing: false)
    }
  }

  /// What wrote the folder; nil where its marker is gone.
  private let kind: FolderKind?

  /// The commands that write reports: "evaluate, tune, calibrate or compare".
  private static let writers = list(FolderKind.allCases.filter(\.hasReport).map(\.command))

  /// "evaluate, tune or compare"
  private static func list(_ words: [String]) -> String {
    words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }

  /// What mends a folder that lost or broke a file.
  private static func remedy(_ kind: FolderKind?) -> String {
    "\(kind?.command ?? writers) again, or restore the file"
  }

  private func damaged(_ file: String, _ reason: String) -> StoredReportError {
    StoredReportError(path: path + "/" + file, reason: reason, advice: Self.remedy(kind), isMissing: false)
  }

  /// Where in the file what is wrong.
  private static func words(_ error: any Error) -> String {
    guard case DecodingError.keyNotFound(let key, let context) = error else {
      guard case DecodingError.typeMismatch(_, let context) = error else {
        guard case DecodingError.dataCorrupted(let context) = error else { return "\(error)" }
        return context.debugDescription
      }
      return context.codingPath.map(\.stringValue).joined(separator: ".") + ": " + context.debugDescription
    }
    return context.codingPath.map(\.stringValue).joined(separator: ".") + " lacks \(key.stringValue)"
  }

  /// The name of the folder.
  public var name: String { URL(fileURLWithPath: path).lastPathComponent }

  /// Bytes of a figure or picture beside the report.
  ///
  /// - Throws: `StoredReportError` where it is not there.
  public func bytes(of file: String) throws(StoredReportError) -> [UInt8] {
    guard !file.hasPrefix("/"), !file.split(separator: "/").contains(".."),
      let data = FileManager.default.contents(atPath: path + "/" + file)
    else {
      throw damaged(file, "the report shows it, but it is not there")
    }
    return [UInt8](data)
  }

  /// The page, with the figures and pictures of the folder.
  ///
  /// - Throws: `StoredReportError` where one is gone or damaged.
  public func html() throws -> String {
    do {
      return try HTMLReport(document) { file in try bytes(of: file) }.render()
    } catch let error as PageError {
      throw damaged(error.file, error.reason)
    }
  }

  /// As Markdown, which links to the figures and pictures of the folder.
  ///
  /// - Parameter links: What leads from the page's folder to this one, "../demo/".
  /// - Throws: `StoredReportError` where one is gone.
  public func markdown(links: String) throws(StoredReportError) -> String {
    for file in document.files { _ = try bytes(of: file) }
    return MarkdownRenderer.render(document, links: links)
  }

  /// Tables that a folder may lack: they are long, and repositories leave them out.
  public static let dispensable: Set = ["objects.csv", "tune.csv", "losses.csv"]

  /// Tables that the report was written with and that are gone.
  public var missingTables: [String] { tables.filter { Self.lines(of: path + "/" + $0) == nil } }

  private var tables: [String] { (document.tables ?? [:]).keys.sorted() }

  /// Whether a table is as long as it was when the report was written; what the report does not know passes.
  ///
  /// - Throws: `StoredReportError` where it has lost or gained lines, or is gone and not ``dispensable``.
  public func check(table: String) throws(StoredReportError) {
    guard let written = document.tables?[table] else { return }
    guard let found = Self.lines(of: path + "/" + table) else {
      if Self.dispensable.contains(table) { return }
      throw damaged(table, "the \(kind?.noun ?? "report") is incomplete without it")
    }
    guard found == written else {
      throw damaged(table, "it has \(found) of the \(written) lines that were written")
    }
  }

  /// Line feeds in a file: fewer wherever it is cut. nil where there is no file.
  static func lines(of path: String) -> Int? {
    FileManager.default.contents(atPath: path).map { $0.count { $0 == UInt8(ascii: "\n") } }
  }

  /// Everything in the folder as one JSON object: the report, every other JSON file under its name, and every table but
  /// the times, which differ between equal runs.
  ///
  /// Cells are numbers where their whole column is, null where they are empty.
  ///
  /// - Throws: `StoredReportError` where a file is damaged, or gone that is not ``dispensable``.
  public func everything() throws -> String {
    guard kind != nil else {
      let markers = Self.list(FolderKind.allCases.filter(\.hasReport).map(\.marker))
      throw StoredReportError(
        path: path, reason: "it holds no \(markers), which say what determined it", advice: Self.remedy(nil),
        isMissing: false)
    }
    for table in tables { try check(table: table) }
    var content: [String: JSONValue] = ["report": try value(of: "report.json")]
    var tables: [String: JSONValue] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
      let stem = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
      if file.hasSuffix(".json"), file != "report.json", file != Self.everythingFile {
        content[stem] = try value(of: file)
      } else if file.hasSuffix(".csv"), file != "timing.csv" {
        do throws(ResultTableError) {
          tables[stem] = JSONValue(try ResultTable(readingFrom: path + "/" + file, allowsNoRows: true))
        } catch {
          throw damaged(file, error.reason)
        }
      }
    }
    content["tables"] = .keyed(tables)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(JSONValue.keyed(content)), as: UTF8.self) + "\n"
  }

  /// What ``everything()`` is stored as.
  public static let everythingFile = "everything.json"

  private func value(of file: String) throws(StoredReportError) -> JSONValue {
    let data = Data(try bytes(of: file))
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: data) else {
      throw damaged(file, "it is not JSON")
    }
    return value
  }
}
