import Foundation

@testable import FathomStorage

/// A stored folder that somebody changed, with digests made right again: they tell a mistake, not an intention.
enum ForgedFolder {
  /// Replaces text of a file.
  static func replace(_ old: String, by new: String, in file: String, of folder: String) throws {
    let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
    guard text.contains(old) else { throw Absent(text: old) }
    try write(Array(text.replacing(old, with: new, maxReplacements: 1).utf8), to: file, of: folder)
  }

  static func write(_ bytes: [UInt8], to file: String, of folder: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + file))
    guard let marker = FolderKind.kinds(in: folder).first?.marker else { throw Absent(text: "marker") }
    let place = folder + "/" + marker
    var manifest = try JSONValue(text: String(contentsOfFile: place, encoding: .utf8))
    manifest[RecordedFiles.key] = nil
    let record = try RecordedFiles(in: folder, manifest: manifest, named: marker, leavingOut: [])
    try Data(try CanonicalJSON.text(record.joined(to: manifest)).utf8).write(to: URL(fileURLWithPath: place))
  }

  struct Absent: Error { let text: String }
}
