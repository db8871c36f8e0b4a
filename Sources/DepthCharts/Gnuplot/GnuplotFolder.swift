internal import Foundation
import PlainText

/// A folder of its own for one run of gnuplot.
struct GnuplotFolder {
  let url: URL

  init() throws(ChartError) {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("fathom-charts-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch { throw Self.error("make the folder", url, error) }
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  func write(_ text: String, to name: String) throws(ChartError) {
    let file = url.appendingPathComponent(name)
    do { try Data(text.utf8).write(to: file) } catch { throw Self.error("write", file, error) }
  }

  func read(_ name: String) throws(ChartError) -> String {
    let file = url.appendingPathComponent(name)
    do { return String(decoding: try Data(contentsOf: file), as: UTF8.self) } catch {
      throw Self.error("read", file, error)
    }
  }

  /// An empty file of this name, open for writing.
  func handle(_ name: String) throws(ChartError) -> FileHandle {
    try write("", to: name)
    let file = url.appendingPathComponent(name)
    do { return try FileHandle(forWritingTo: file) } catch { throw Self.error("open", file, error) }
  }

  private static func error(_ action: String, _ file: URL, _ reason: any Error) -> ChartError {
    ChartError(
      operation: "\(action) \(file.path) for gnuplot", reason: SystemReason.words(reason),
      advice: "free space in the folder for temporary files, or set TMPDIR to another one")
  }
}
