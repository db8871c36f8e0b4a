import Foundation

/// Why a folder with a report could not be read.
public struct StoredReportError: Error, Sendable, CustomStringConvertible {
  public let path: String
  public let reason: String
  public let advice: String
  /// There is no such folder, rather than no report in it.
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
  /// - Throws: `StoredReportError` where there is no such folder, no report in it, or a damaged one.
  public init(readingFrom path: String) throws(StoredReportError) {
    var trimmed = path[...]
    while trimmed.count > 1 && trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.path = String(trimmed)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: self.path, isDirectory: &isFolder), isFolder.boolValue else {
      throw StoredReportError(
        path: path, reason: "there is no such folder", advice: "give the folder that evaluate wrote",
        isMissing: true)
    }
    guard let data = FileManager.default.contents(atPath: self.path + "/report.json") else {
      throw StoredReportError(
        path: self.path, reason: "it holds no report.json",
        advice: "give a folder that evaluate, tune, calibrate or compare of this version wrote",
        isMissing: false)
    }
    do { document = try ReportDocument(json: String(decoding: data, as: UTF8.self)) } catch {
      throw StoredReportError(
        path: self.path + "/report.json", reason: "it is damaged (\(Self.words(error)))",
        advice: "make the report again", isMissing: false)
    }
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
      throw StoredReportError(
        path: path + "/" + file, reason: "the report shows it, but it is not there",
        advice: "make the report again", isMissing: false)
    }
    return [UInt8](data)
  }

  /// Everything in the folder as one JSON object: the report, every other JSON file under its name, and every table but
  /// the times, which differ between equal runs.
  ///
  /// Cells are numbers where their whole column is, null where they are empty.
  ///
  /// - Throws: `ResultTableError`, `StoredReportError` where a file is damaged.
  public func everything() throws -> String {
    var content: [String: JSONValue] = ["report": try value(of: "report.json")]
    var tables: [String: JSONValue] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
      let stem = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
      if file.hasSuffix(".json"), file != "report.json", file != Self.everythingFile {
        content[stem] = try value(of: file)
      } else if file.hasSuffix(".csv"), file != "timing.csv" {
        tables[stem] = JSONValue(try ResultTable(readingFrom: path + "/" + file, allowsNoRows: true))
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
      throw StoredReportError(
        path: path + "/" + file, reason: "it is no JSON", advice: "make the report again", isMissing: false)
    }
    return value
  }
}
