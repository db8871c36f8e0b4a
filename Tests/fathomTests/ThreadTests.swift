import Foundation
import FathomTestSupport
import Testing

/// The command's threads, looked at from outside while they wait for somebody to read what it prints.
@Suite("threads of the command", .enabled(if: BuiltCommand.path != nil, BuiltCommand.comment))
struct ThreadTests {
  /// Names of the threads of a process, and their priorities (`nice`).
  private func threads(of process: Int32) -> [(name: Substring, nice: Int)] {
    let folder = "/proc/\(process)/task"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return numbers.compactMap { number in
      // "17 (name) S …", with the priority as the 19th field.
      guard let text = try? String(contentsOfFile: "\(folder)/\(number)/stat", encoding: .utf8),
        let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")")
      else { return nil }
      let fields = text[end...].split(separator: " ")
      guard fields.count > 17, let nice = Int(fields[17]) else { return nil }
      return (text[text.index(after: start)..<end], nice)
    }
  }

  /// A pipe that takes no more bytes.
  private func fullPipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    try #require(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
    while write(ends[1], "x", 1) == 1 {}
    try #require(fcntl(ends[1], F_SETFL, 0) == 0)
    return (ends[0], ends[1])
  }

  @Test(
    "every thread keeps the priority that the command was started with, and SIGTERM and SIGINT end it whatever they wait for",
    arguments: [SIGTERM, SIGINT])
  func priority(_ signal: Int32) throws {
    let folder = try TemporaryFolder()
    let pipe = try fullPipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "nice", "-n", "7", try #require(BuiltCommand.path), "evaluate", sample, "--output",
        folder.path("run"),
      ]
      + ["--methods", "ols", "--no-figures", "--no-gallery"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(fileDescriptor: pipe.writing)
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      close(pipe.reading)
      close(pipe.writing)
    }
    // All work is done then, but the answer cannot be printed.
    for _ in 0..<6000 where process.isRunning && !folder.exists("run/run.json") { usleep(50_000) }
    try #require(process.isRunning && folder.exists("run/run.json"))
    let threads = threads(of: process.processIdentifier)
    #expect(threads.contains { $0.name.contains("qos") }, "\(threads)")
    let own = Int(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))
    #expect(Set(threads.map(\.nice)) == [min(19, own + 7)], "\(threads)")
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
  }
}
