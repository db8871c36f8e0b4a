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
  var seed: UInt64
  /// What breaks the schema, and notes.
  var schema: [SchemaIssue]
  var scenes: [SceneDiagnosis]

  init(file: String, sha256: String, seed: UInt64, schema: [SchemaIssue], scenes: [SceneDiagnosis]) {
    (self.file, self.sha256, self.seed, self.schema, self.scenes) = (file, sha256, seed, schema, scenes)
  }

  /// Pretty-printed with sorted keys, so that equal diagnoses give equal bytes.
  var json: String {
    get throws { try CanonicalJSON.text(self) }
  }
}
