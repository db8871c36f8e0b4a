public import DepthReport
import Foundation

/// A finished run on disk, as far as an export needs it: what determined it, and its tables as text.
public struct RunFolder: Sendable {
  /// The folder.
  public let path: String
  /// Its name: "demo".
  public let name: String
  /// What determines the numbers.
  public let manifest: RunManifest
  /// `run.json`, to the byte.
  public let manifestText: String

  /// Knows which tables the run was written with; nil where there is none that can be read.
  private let report: StoredReport?

  /// - Throws: `ResultTableError`, missing where there is no folder, else because it holds no `run.json` or that file is
  ///   no manifest of an evaluation.
  public init(readingFrom path: String) throws(ResultTableError) {
    let url = URL(fileURLWithPath: path).standardizedFileURL
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw ResultTableError(
        path: path, reason: "it does not exist", advice: "name the folder of a run, as Reports/demo",
        isMissing: true)
    }
    let file = url.appendingPathComponent("run.json")
    let kind = FolderKind.kinds(in: url.path).first
    guard isFolder.boolValue, kind == .run, let data = FileManager.default.contents(atPath: file.path) else {
      let other = kind.map { "it is a folder of fathom \($0.command)" }
      throw ResultTableError(
        path: path, reason: isFolder.boolValue ? other ?? "it holds no run.json" : "it is a file",
        advice: "name a folder that 'fathom evaluate' finished, as Reports/demo", isMissing: false)
    }
    do {
      manifest = try JSONDecoder().decode(RunManifest.self, from: data)
    } catch {
      throw ResultTableError(
        path: file.path, reason: "it is not the run.json of an evaluation (\(Self.words(error)))",
        advice: "name a folder that 'fathom evaluate' finished, or evaluate again", isMissing: false)
    }
    (self.path, name) = (url.path, url.lastPathComponent)
    manifestText = String(decoding: data, as: UTF8.self)
    report = try? StoredReport(readingFrom: url.path)
  }

  /// A table of the run; nil where the run has none, or one without rows.
  ///
  /// - Parameter name: File name: "ranges.csv".
  /// - Throws: `ResultTableError` where the file is damaged, or missing although this run or every run has it.
  func table(_ name: String, isRequired: Bool = false) throws(ResultTableError) -> StoredTable? {
    let file = path + "/" + name
    do { try report?.check(table: name) } catch { throw damaged(file, error.reason) }
    guard FileManager.default.fileExists(atPath: file) else {
      guard isRequired else { return nil }
      throw damaged(file, "the run is incomplete without it")
    }
    do {
      let table = try ResultTable(readingFrom: file, allowsNoRows: true)
      return table.rows.isEmpty ? nil : StoredTable(path: file, name: name, table)
    } catch {
      throw damaged(file, error.reason)
    }
  }

  private func damaged(_ file: String, _ reason: String) -> ResultTableError {
    ResultTableError(
      path: file, reason: reason, advice: "evaluate again, or restore the file", isMissing: false)
  }

  /// What the decoder did not find, in a few words.
  private static func words(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, _): "it has no '\(key.stringValue)'"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' is something else"
    default: "it is not JSON"
    }
  }
}
