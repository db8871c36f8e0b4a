import Dispatch
import Foundation

/// A program that was run to its end.
package struct ProcessResult {
  package let status: Int32
  package let end: String  // "status 1", "signal 9".
  let output: String, errors: String
  /// What it said last on standard error, behind this mark where a line begins with it.
  package func lastWords(marked mark: String) -> String { Self.lastLine(of: errors, marked: mark) }
  /// The same of standard output.
  package func lastOutput(marked mark: String) -> String { Self.lastLine(of: output, marked: mark) }

  /// The program that a shell would start.
  /// - Returns: nil where there is none.
  package static func executable(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    let candidates =
      name.contains("/")
      ? [URL(fileURLWithPath: name).path] : path.split(separator: ":").map { "\($0)/\(name)" }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static func lastLine(of text: String, marked mark: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
    if let own = lines.last(where: { $0.hasPrefix(mark) }) {
      return own.dropFirst(mark.count).trimmingCharacters(in: .whitespaces)
    }
    return lines.last { !$0.isEmpty } ?? ""
  }

  /// - Parameter began: Is given the id of the process as soon as it runs.
  /// - Throws: What Foundation throws where it cannot be started.
  package init(
    running executable: String, _ arguments: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment, began: (Int32) -> Void = { _ in }
  ) throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("fathom-process-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }
    // Files, because a full pipe would stop the process.
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
