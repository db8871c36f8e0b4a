public import FathomRunFolders
import FathomTables
public import DepthDataset
public import DepthDiagnosis
import FathomStorage

/// `diagnosis.json`: everything that was found about a file.
public struct DatasetDiagnosis: Codable, Sendable {
  public var tool = "fathom", version = Version.current
  /// File name without its folder.
  public var file: String
  /// SHA-256 of its bytes, hex.
  public var sha256: String
  /// Other files that it leads to; absent where there are none.
  public var external: [RunManifest.Input.External]?
  /// Of the resamples.
  public var seed: UInt64
  /// What breaks the schema, and notes.
  public var schema: [SchemaIssue]
  public var scenes: [SceneDiagnosis]

  /// - Parameter scenes: All that were asked: what chance explains among so many is not a contradiction.
  public init(of input: RunManifest.Input, seed: UInt64, schema: [SchemaIssue], scenes: [SceneDiagnosis]) {
    (file, sha256, external) = (input.file, input.sha256, input.external)
    (self.seed, self.schema, self.scenes) = (seed, schema, scenes.withoutChance)
  }

  /// Pretty-printed with sorted keys, so that equal diagnoses give equal bytes.
  public var json: String { get throws { try CanonicalJSON.text(self) } }
}
