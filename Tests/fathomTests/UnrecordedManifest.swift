import Foundation
import FathomStorage

/// The manifest of a stored run for a folder whose tables a test has changed: without the record of its files, as version
/// 0.1.0 wrote it.
enum UnrecordedManifest {
  /// - Parameter rows: Rows of `frames.csv` that are left; nil for all.
  static func copy(from run: String, to folder: String, rows: Int? = nil) throws {
    let text = try String(contentsOfFile: run + "/run.json", encoding: .utf8)
    var manifest = try JSONValue(text: text)
    manifest["digests"] = nil
    if let rows {
      var counts = manifest["counts"]
      counts?["rows"] = .integer(rows)
      manifest["counts"] = counts
    }
    try Data(try CanonicalJSON.text(manifest).utf8).write(to: URL(fileURLWithPath: folder + "/run.json"))
  }
}
