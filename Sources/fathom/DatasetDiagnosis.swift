import DepthDataset
import DepthDiagnosis
import DepthReport
import Foundation
import Storage

/// `diagnosis.json`: everything that was found about a file.
struct DatasetDiagnosis: Codable {
  var tool = "fathom"
  var version = Version.current
  var file: String
  var sha256: String
  /// Other files that it leads to; absent where there are none.
  var external: [RunManifest.Input.External]?
  var seed: UInt64
  /// What breaks the schema, and notes.
  var schema: [SchemaIssue]
  var scenes: [SceneDiagnosis]

  init(of input: RunManifest.Input, seed: UInt64, schema: [SchemaIssue], scenes: [SceneDiagnosis]) {
    (file, sha256, external) = (input.file, input.sha256, input.external)
    (self.seed, self.schema, self.scenes) = (seed, schema, scenes)
  }

  /// Pretty-printed with sorted keys, so that equal diagnoses give equal bytes.
  var json: String {
    get throws { try CanonicalJSON.text(self) }
  }
}
