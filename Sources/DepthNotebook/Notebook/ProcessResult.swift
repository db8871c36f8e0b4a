import Dispatch
import Foundation

/// A program that was run to its end.
struct ProcessResult {
  let status: Int32
  let end: String  // "status 1", "signal 9".
  let output: String, errors: String
  /// What it said last on standard error, behind this mark where a line begins with it.
  func lastWords(marked mark: String) -> String { Self.lastLine(of: errors, marked: mark) }
  /// The same of standard output.
  func lastOutput(marked mark: String) -> String { Self.lastLine(of: output, marked: mark) }

  private static func lastLine(of text: String, marked mark: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
    if let own = lines.last(where: { $0.hasPrefix(mark) }) {
      return own.dropFirst(mark.count).trimmingCharacters(in: .whitespaces)
    }
    return lines.last { !$0.isEmpty } ?? ""
  }

  /// - Parameter began: Is given the id of the process as soon as it runs.
  /// - Throws: What Foundation throws where it cannot be started.
  init(
    running executable: String, _ arguments: [String], environment: [String: String], began: (Int32) -> Void
  ) throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("fathom-notebook-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }
    // Files, because a pipe that nobody empties would stop the process.
    let handles = try ["output.txt", "errors.txt"].map { name in
      let path = folder.appendingPathComponent(name)
      try Data().write(to: path)
      return try FileHandle(forUpdating: path)
    }
    // They live on as long as they are open, and an interruption leaves nothing behind.
    try files.removeItem(at: folder)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handles[0]
    process.standardError = handles[1]
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    began(process.processIdentifier)
    ended.wait()
    status = process.terminationReason == .exit ? process.terminationStatus : -1
    end = (process.terminationReason == .exit ? "status" : "signal") + " \(process.terminationStatus)"
    let texts = try handles.map { handle in
      try handle.seek(toOffset: 0)
      return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    }
    (output, errors) = (texts[0], texts[1])
  }
}
