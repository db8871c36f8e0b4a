import Foundation
public import Testing

/// Files of the repository that a text is compared with.
public enum GoldenFile {
  /// How closely.
  public enum Comparison: Sendable {
    /// Byte by byte: what no computation of the machine's libraries goes into.
    case bytes
    /// Words and whole numbers exactly, other numbers to 1e-9.
    case numbers
    /// The same of a page whose numbers are rounded to be read.
    case roundedNumbers

    fileprivate func agree(_ a: String, _ b: String) -> Bool {
      if a == b { return true }
      guard self != .bytes else { return false }
      return NumberedText(a).agrees(with: NumberedText(b), isRounded: self == .roundedNumbers)
    }
  }

  /// Expects a text to be what the file holds; with `FATHOM_UPDATE_GOLDEN` set the file is written instead, to be looked
  /// at before it is committed.
  public static func expect(
    _ text: String, _ path: String, by comparison: Comparison = .bytes,
    sourceLocation: SourceLocation = #_sourceLocation
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
    guard
      let line = zip(got, expected).enumerated().first(where: {
        !comparison.agree($0.element.0, $0.element.1)
      })?
      .offset ?? (got.count == expected.count ? nil : min(got.count, expected.count))
    else { return }
    let shown = (line < got.count ? got[line] : "(end)", line < expected.count ? expected[line] : "(end)")
    Issue.record(
      "\(path), line \(line + 1): \(shown.0)\ninstead of: \(shown.1)", sourceLocation: sourceLocation)
  }
}
