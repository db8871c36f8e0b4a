import Foundation
public import Testing

/// Files of the repository that a text is compared with, byte by byte.
public enum GoldenFile {
  /// Expects a text to be what the file holds; with `FATHOM_UPDATE_GOLDEN` set the file is written instead, to be looked
  /// at before it is committed.
  public static func expect(
    _ text: String, _ path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = PackageFiles.root.appendingPathComponent(path)
    if ProcessInfo.processInfo.environment["FATHOM_UPDATE_GOLDEN"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      return
    }
    let golden = try String(contentsOf: file, encoding: .utf8)
    guard text != golden else { return }
    let (got, expected) = (text.components(separatedBy: "\n"), golden.components(separatedBy: "\n"))
    let line =
      zip(got, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      ?? min(got.count, expected.count)
    let shown = (line < got.count ? got[line] : "(end)", line < expected.count ? expected[line] : "(end)")
    Issue.record(
      "\(path), line \(line + 1): \(shown.0)\ninstead of: \(shown.1)", sourceLocation: sourceLocation)
  }
}
