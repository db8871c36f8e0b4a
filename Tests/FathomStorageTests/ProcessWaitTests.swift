import Foundation
import FathomStorage
import FathomTestSupport
import Testing

/// How long another process is waited for: by its own work, not by the clock.
@Suite("Wait for a process")
struct ProcessWaitTests {
  /// A shell that runs lines, and a pipe that it can write to as its standard output.
  private static func shell(_ lines: String) throws -> (process: Process, output: Int32) {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", lines]
    process.standardOutput = pipe
    try process.run()
    let descriptor = dup(pipe.fileHandleForReading.fileDescriptor)
    return (process, descriptor)
  }

  private func seconds(_ body: () -> Void) -> Double { ContinuousClock().measure(body) / .seconds(1) }

  @Test("a process that does nothing is given up when it did not use the processor for so long")
  func idle() throws {
    let (process, output) = try Self.shell("exec sleep 600")
    defer {
      kill(process.processIdentifier, SIGKILL)
      close(output)
    }
    var wait = ProcessWait(for: process.processIdentifier, ProcessWait.Limits(idle: 1, most: 600))
    var isReadable = true
    let passed = seconds { isReadable = wait.untilReadable(output) }
    #expect(!isReadable)
    #expect(passed > 0.9)
  }

  @Test("a process that computes is waited for until the end of all patience")
  func busy() throws {
    let (process, output) = try Self.shell("while :; do :; done")
    defer {
      kill(process.processIdentifier, SIGKILL)
      close(output)
    }
    var wait = ProcessWait(for: process.processIdentifier, ProcessWait.Limits(idle: 3, most: 5))
    var isReadable = true
    let passed = seconds { isReadable = wait.untilReadable(output) }
    #expect(!isReadable)
    #expect(passed > 4.5)
  }

  @Test("what is said, and the end of the process, end the wait")
  func said() throws {
    let (process, output) = try Self.shell("echo yes")
    defer { close(output) }
    var wait = ProcessWait(for: process.processIdentifier, ProcessWait.Limits(most: 600))
    var bytes = [UInt8](repeating: 0, count: 8)
    for expected in [4, 0] {
      let isReadable = wait.untilReadable(output)
      #expect(isReadable)
      let count = isReadable ? read(output, &bytes, 8) : -1
      #expect(count == expected)
    }
  }

  @Test("the time in which this process is stopped does not count")
  func stopped() async {
    await #expect(processExitsWith: .exitCode(42)) {
      // Stops this process, when it waits, for longer than it would wait, and then says something.
      let begin = ContinuousClock.now
      let own = getpid()
      let (process, output) = try ProcessWaitTests.shell(
        "sleep 1; kill -STOP \(own); sleep 9; kill -CONT \(own); echo yes")
      var wait = ProcessWait(for: process.processIdentifier, ProcessWait.Limits(idle: 6, most: 6))
      let isReadable = wait.untilReadable(output)
      _exit(isReadable && ContinuousClock.now - begin > .seconds(9) ? 42 : 2)
    }
  }
}
