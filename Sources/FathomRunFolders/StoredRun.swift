import FathomTables
import DepthCore
import DepthEvaluation
import DepthFusion
import FathomPlainText
import Foundation
public import FathomStorage

/// A run folder that `fathom evaluate` wrote, by this or another version.
///
/// Fields, tables and metrics that this version does not know are omitted; those that the run does not have yet are
/// missing values. All text is UTF-8; numbers are read as they were written, independent of locale.
public struct StoredRun: Sendable {
  public let folder: StoredFolder
  /// `run.json`.
  public let manifest: RunManifest
  /// Every value of `run.json` under its dotted name, those that this version does not know included:
  /// "options.maxDepth" → "4". Lists are joined by "/".
  public let settings: [String: String]
  /// `frames.csv`.
  public let frames: StoredFrames

  /// Reads `run.json` and `frames.csv`.
  /// - Throws: `FathomError` `.noInput` where there is no such folder; `.badData` where it is not a run folder, lacks
  ///   `frames.csv`, or what it holds is damaged: not JSON or CSV, an impossible cell, fewer rows than `run.json` says.
  public init(readingFrom path: String) throws(FathomError) {
    folder = try StoredFolder(path, kinds: [.run], attempted: "read the run")
    try folder.verify()
    settings = folder.manifest.flattened
    manifest = try Self.manifest(of: folder)
    frames = try Self.frames(of: folder, manifest)
  }

  /// The folder, as it was given, without trailing slashes.
  public var path: String { folder.path }
  /// The folder's own name: "demo".
  public var name: String { folder.name }
  /// Ids of the methods, in the order of the tables.
  public var methods: [String] { frames.records.map(\.method).firstAppearances }
  /// Whether some scene has a LiDAR, which is among the methods then.
  public var hasLidar: Bool { !Set(MethodSelection.rawLidar.map(\.id)).isDisjoint(with: methods) }

  /// A table of the run: "summary.csv", "objects.csv".
  /// - Returns: nil where the run has none.
  /// - Throws: `FathomError` `.badData` where it is not a CSV table, or was changed.
  public func table(_ name: String) throws(FathomError) -> ResultTable? {
    folder.has(name) ? try ResultTable(name, of: folder) : nil
  }

  private static func frames(of folder: StoredFolder, _ manifest: RunManifest) throws(FathomError)
    -> StoredFrames
  {
    let file = "frames.csv"
    let frames: StoredFrames
    let table = try ResultTable(file, of: folder)
    do throws(StoredFrames.Malformed) { frames = try StoredFrames(table) } catch {
      throw folder.damaged(file, error.reason)
    }
    let (found, expected) = (frames.records.count, manifest.counts.rows)
    guard found == expected else {
      throw folder.damaged(file, "it has \(found) rows, and \(RunManifest.fileName) counts \(expected)")
    }
    return frames
  }

  /// `run.json`, also of an older version: what that did not know yet, it did as the defaults do.
  private static func manifest(of folder: StoredFolder) throws(FathomError) -> RunManifest {
    do {
      return try JSONDecoder().decode(
        RunManifest.self, from: try JSONEncoder().encode(completed(folder.manifest)))
    } catch {
      throw FathomError(
        .badData, attempted: "read the run", place: folder.path + "/" + RunManifest.fileName,
        reason:
          "version \(folder.version) wrote it and \(Version.current) cannot read it: \((error as? DecodingError)?.words() ?? "\(error)")",
        advice: folder.version == Version.current
          ? "evaluate again, or restore the file" : "evaluate again with this version")
    }
  }

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
}
