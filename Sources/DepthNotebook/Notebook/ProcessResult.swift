import Dispatch
import Foundation

/// A program that was run to its end.
struct ProcessResult {
  let status: Int32
  /// "status 1", "signal 9".
  let end: String
  let output: String
  let errors: String

  /// What it said last on standard error.
  var lastWords: String { Self.lastLine(of: errors) }

  /// What it said last on standard output.
  var lastOutput: String { Self.lastLine(of: output) }

  private static func lastLine(of text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .last { !$0.isEmpty } ?? ""
  }

  /// - Parameter began: Is given the id of the process as soon as it runs.
  /// - Throws: What Foundation throws where it cannot be started.
  init(
    running executable: String, _ arguments: [String], environment: [String: String],
    began: (Int32) -> Void
  ) throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("fathom-notebook-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }
    // Files, because a pipe that nobody empties would stop the process.
    let paths = ["output.txt", "errors.txt"].map { folder.appendingPathComponent($0) }
    for path in paths { try Data().write(to: path) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: paths[0])
    process.standardError = try FileHandle(forWritingTo: paths[1])
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    began(process.processIdentifier)
    ended.wait()
    status = process.terminationReason == .exit ? process.terminationStatus : -1
    end = (process.terminationReason == .exit ? "status" : "signal") + " \(process.terminationStatus)"
    output = String(decoding: try Data(contentsOf: paths[0]), as: UTF8.self)
    errors = String(decoding: try Data(contentsOf: paths[1]), as: UTF8.self)
  }
}
