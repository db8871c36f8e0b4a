import DepthEvaluation
import DepthFusion
import Foundation

/// A run folder that `fathom evaluate` wrote, by this or another version.
///
/// Fields, tables and metrics that this version does not know are left out; those that the run does not have yet are
/// missing values. All text is UTF-8; numbers are read as they were written, independent of locale.
public struct StoredRun: Sendable {
  /// The folder, as it was given, without trailing slashes.
  public let path: String
  /// The folder's own name: "demo".
  public let name: String
  /// `run.json`.
  public let manifest: RunManifest
  /// Every value of `run.json` under its dotted name, those that this version does not know included:
  /// "options.maxDepth" → "4". Lists are joined by "/".
  public let settings: [String: String]
  /// `frames.csv`.
  public let frames: StoredFrames

  /// Reads `run.json` and `frames.csv`.
  ///
  /// - Parameter folder: The run's folder.
  /// - Throws: `StoredRunError` `.missing` where there is no such folder; `.badData` where it is no run folder, lacks
  ///   `frames.csv`, or what it holds is damaged: not JSON or CSV, an impossible cell, fewer rows than `run.json` says.
  public init(readingFrom folder: String) throws(StoredRunError) {
    var trimmed = folder[...]
    while trimmed.count > 1 && trimmed.hasSuffix("/") { trimmed.removeLast() }
    path = String(trimmed)
    name = URL(fileURLWithPath: path).standardizedFileURL.lastPathComponent
    let text = try Self.manifestText(in: path)
    (manifest, settings) = try Self.manifest(text, path + "/" + RunManifest.fileName)
    guard let table = try Self.table("frames.csv", in: path) else {
      throw Self.damaged(path + "/frames.csv", "the run is incomplete without it")
    }
    do throws(StoredFrames.Malformed) {
      frames = try StoredFrames(table)
    } catch {
      throw Self.damaged(path + "/frames.csv", error.reason)
    }
    let (found, expected) = (frames.records.count, manifest.counts.rows)
    guard found == expected else {
      throw Self.damaged(
        path + "/frames.csv", "it has \(found) rows, and \(RunManifest.fileName) counts \(expected)")
    }
  }

  /// Ids of the methods, in the order of the tables.
  public var methods: [String] { frames.records.map(\.method).firstAppearances }

  /// Another table of the run: "summary.csv", "objects.csv". Read when it is asked for.
  ///
  /// - Returns: nil where the run has none.
  /// - Throws: `StoredRunError` `.badData` where it is no CSV table.
  public func table(_ name: String) throws(StoredRunError) -> ResultTable? {
    try Self.table(name, in: path)
  }

  private static func table(_ name: String, in folder: String) throws(StoredRunError) -> ResultTable? {
    do throws(ResultTableError) {
      return try ResultTable(readingFrom: folder + "/" + name, allowsNoRows: true)
    } catch {
      if error.isMissing { return nil }
      throw damaged(folder + "/" + name, error.reason)
    }
  }

  private static func damaged(_ path: String, _ reason: String) -> StoredRunError {
    StoredRunError(.badData, path: path, reason: reason, advice: "evaluate again, or restore the file")
  }
}

extension StoredRun {
  /// `run.json` of a folder, or why there is none.
  private static func manifestText(in folder: String) throws(StoredRunError) -> Data {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: folder, isDirectory: &isFolder) else {
      let isUnfinished = files.fileExists(atPath: folder + ".partial")
      throw StoredRunError(
        .missing, path: folder, reason: isUnfinished ? "it is not finished" : "there is no such folder",
        advice: isUnfinished ? "wait for it" : "check the path; fathom evaluate --output writes run folders")
    }
    guard isFolder.boolValue else {
      throw StoredRunError(
        .badData, path: folder, reason: "it is a file", advice: "give the folder that fathom evaluate wrote")
    }
    let kind = FolderKind.kinds(in: folder).first
    if kind == .run, let data = files.contents(atPath: folder + "/" + RunManifest.fileName) { return data }
    throw StoredRunError(
      .badData, path: folder,
      reason: kind.map { "it is a folder of fathom \($0.command)" } ?? "it has no \(RunManifest.fileName)",
      advice: "give a folder that fathom evaluate wrote")
  }

  private static func manifest(
    _ data: Data, _ path: String
  ) throws(StoredRunError) -> (RunManifest, [String: String]) {
    guard let document = try? JSONDecoder().decode(JSONValue.self, from: data) else {
      throw damaged(path, "it is not JSON")
    }
    let values = document.flattened
    guard values["tool"] == RunManifest.tool, let version = values["version"] else {
      throw StoredRunError(
        .badData, path: path, reason: "fathom evaluate did not write it",
        advice: "give a folder that fathom evaluate wrote")
    }
    do {
      let complete = try JSONEncoder().encode(completed(document))
      return (try JSONDecoder().decode(RunManifest.self, from: complete), values)
    } catch {
      let advice =
        version == Version.current
        ? "evaluate again, or restore the file" : "evaluate again with this version"
      throw StoredRunError(
        .badData, path: path,
        reason: "version \(version) wrote it and \(Version.current) cannot read it: \(words(error))",
        advice: advice)
    }
  }

  /// What an older version did not know yet, it did as the defaults do.
  private static func completed(_ document: JSONValue) -> JSONValue {
    let neutral = EvaluationProtocol(name: "", source: "", minDepth: 0, maxDepth: nil)
    let defaults = [
      ("options", JSONValue(encoding: FusionOptions())), ("protocol", JSONValue(encoding: neutral)),
      ("objects", JSONValue(encoding: ObjectPlan())),
    ]
    return defaults.reduce(into: document) { result, entry in
      guard let found = result[entry.0], let values = entry.1 else { return }
      result[entry.0] = found.filled(with: values)
    }
  }

  /// Where decoding failed, in one line.
  private static func words(_ error: any Error) -> String {
    func place(_ context: DecodingError.Context) -> String {
      context.codingPath.map(\.stringValue).joined(separator: ".")
    }
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      return "no '\((context.codingPath + [key]).map(\.stringValue).joined(separator: "."))'"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      return "'\(place(context))' is none of the values that it may have"
    default: return "\(error)"
    }
  }
}
