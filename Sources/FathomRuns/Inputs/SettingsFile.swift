import Foundation
package import FathomPlainText
package import FathomStorage

/// A small file in which a user says something: a configuration, a grid, a calibration.
package struct SettingsFile {
  private static let mostBytes = 8 << 20  // Larger ones are something else.
  let kind: String  // What the file is to Fathom: "configuration".
  let path: String
  package init(kind: String, path: String) { (self.kind, self.path) = (kind, path) }

  /// - Throws: `FathomError` `.noInput` where it cannot be read, `.badData` where it is not text.
  package var text: String {
    get throws(FathomError) {
      let data: Data
      do {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        data = try handle.read(upToCount: Self.mostBytes + 1) ?? Data()
      } catch {
        throw FathomError(
          .noInput, attempted: attempted, place: path, reason: SystemFault(error).words,
          advice: "check the path")
      }
      guard data.count <= Self.mostBytes else {
        throw unusable("it has more than \(Self.mostBytes >> 20) MiB", "give a file of 'name: value' lines")
      }
      guard let text = String(bytes: data, encoding: .utf8) else {
        throw unusable("it is not UTF-8 text", "write it as UTF-8")
      }
      return text
    }
  }

  private var attempted: String { "read \(kind)" }

  /// Why the file cannot be used.
  package func unusable(_ reason: Wording, _ advice: Wording) -> FathomError {
    FathomError(.badData, attempted: attempted, place: path, reason: reason, advice: advice)
  }
}
