import Foundation
import FathomTestSupport
import Testing

@testable import FathomCommandLine
@testable import FathomLibraryVersions

@Suite("Limits of the system")
struct SystemLimitsTests {
  // In a process of its own: other tests open files at the same time.
  @Test("too few open files are one line and 75")
  func files() async {
    await #expect(processExitsWith: .exitCode(42)) {
      var limit = rlimit(rlim_cur: 20, rlim_max: 20)
      guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { _exit(1) }
      var isExpected = false
      do throws(Failure) { try SystemLimits.check() } catch {
        isExpected =
          error.code == Failure.shortage
          && error.message.contains("are needed; allow more with 'ulimit -n")
      }
      _exit(isExpected ? 42 : 2)
    }
  }

  @Test("where no file at all can be opened, that is said, and nothing of /dev/null")
  func none() async {
    await #expect(processExitsWith: .exitCode(42)) {
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { _exit(1) }
      var isExpected = false
      do throws(Failure) { try SystemLimits.check() } catch {
        isExpected = error.code == Failure.shortage && error.message.contains("only 0 more files")
      }
      _exit(isExpected ? 42 : 2)
    }
  }

  @Test("as many files may be opened as the system allows the process to allow itself")
  func raised() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit(rlim_cur: 50, rlim_max: 200)
      guard setrlimit(kind, &limit) == 0 else { _exit(1) }
      SystemLimits.raiseFiles()
      guard getrlimit(kind, &limit) == 0 else { _exit(1) }
      _exit(limit.rlim_cur == 200 && limit.rlim_max == 200 ? 42 : 2)
    }
  }

  @Test("without /proc or /dev/null it is one line and 74")
  func places() throws {
    let folder = try TemporaryFolder()
    func failure() -> Failure? {
      do throws(Failure) { try SystemLimits.check(root: folder.url.path) } catch { return error }
      return nil
    }
    #expect(failure()?.code == Failure.inputOutput)
    #expect(
      failure()?.message.hasPrefix("cannot start: /proc is needed, and is not mounted; mount it") ?? false)
    try folder.put("", "proc/self/exe")
    #expect(failure()?.code == Failure.inputOutput)
    #expect(
      failure()?.message.hasPrefix(
        "cannot start: /dev/null is needed, and cannot be opened: there is no such file or folder; create it")
        ?? false)
    try folder.put("", "dev/null")
    #expect(failure() == nil)
  }

  /// The built command as another program starts it.
  private func started(
    by words: String..., arguments: [String] = ["inspect", sample], seconds: Int = 60
  ) throws -> (code: Int32, errors: String, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["timeout", "-s", "KILL", "\(seconds)"] + words + [try #require(BuiltCommand.path)] + arguments
    let (errors, output) = (Pipe(), Pipe())
    (process.standardError, process.standardOutput) = (errors, output)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      String(decoding: said, as: UTF8.self), String(decoding: printed, as: UTF8.self)
    )
  }

  private func expect(
    _ end: (code: Int32, errors: String, output: String), _ code: Int32, _ words: String
  ) {
    #expect(end.code == code && end.output.isEmpty, "\(end)")
    #expect(end.errors.hasPrefix("fathom: cannot start: ") && end.errors.contains(words), "\(end)")
    #expect(end.errors.split(separator: "\n").count == 1, "\(end)")
  }

  private static let commands = [["inspect", sample], ["diagnose", sample], ["--help"], []]

  @Test(
    "where no thread can be started every command ends at once, with one line and 75",
    .enabled(if: BuiltCommand.path != nil),
    arguments: SystemLimitsTests.commands)
  func noThreads(_ arguments: [String]) throws {
    // Of the memory that can be written, a stack takes most.
    let memory = SystemLimits.memory >> 10
    expect(
      try started(by: "sh", "-c", "ulimit -d \(memory / 2); exec \"$@\"", "sh", arguments: arguments), 75,
      "ulimit -d")
    expect(
      try started(
        by: "sh", "-c", "ulimit -s 1048576; ulimit -d \(memory); exec \"$@\"", "sh", arguments: arguments),
      75,
      "threads are needed")
  }

  @Test("--version answers where no command could work", .enabled(if: BuiltCommand.path != nil))
  func version() throws {
    let end = try started(
      by: "sh", "-c", "ulimit -n \(SystemLimits.files / 2); exec \"$@\"", "sh", arguments: ["--version"])
    #expect(end.code == 0 && end.errors.isEmpty, "\(end)")
    #expect(end.output.split(separator: "\n").count == 4 + LibraryVersions.all.count)
  }

  @Test(
    "the same where the user may start no more processes",
    .enabled(if: BuiltCommand.path != nil && geteuid() == 0, "only root can become a user without processes"))
  func noProcesses() throws {
    for count in [1, 3, 5] {
      let end = try started(
        by: "setpriv", "--reuid=54321", "--clear-groups", "prlimit", "--nproc=\(count):\(count)")
      // Where the file may not be run by others, nothing is shown.
      guard end.code != 126 else { continue }
      expect(end, 75, "threads are needed")
    }
  }

  @Test(
    "a small stack is one line and 75, and what is asked for is enough",
    .enabled(if: BuiltCommand.path != nil),
    arguments: [64, 128, 256, 512, 1023])
  func stack(_ size: Int) throws {
    expect(try started(by: "sh", "-c", "ulimit -s \(size); exec \"$@\"", "sh"), 75, "'ulimit -s 8192'")
    let enough = SystemLimits.stack >> 10
    let folder = try TemporaryFolder()
    let end = try started(
      by: "sh", "-c", "ulimit -s \(enough); exec \"$@\"", "sh",
      arguments: ["evaluate", sample, "--output", folder.path("run"), "--quiet"], seconds: 300)
    #expect(end.code == 0, "\(end)")
  }

  @Test(
    "without /proc a command does not pretend to have done something",
    .enabled(if: BuiltCommand.path != nil && geteuid() == 0, "only root can cover /proc"),
    arguments: SystemLimitsTests.commands)
  func noProc(_ arguments: [String]) throws {
    expect(
      try started(
        by: "unshare", "--mount", "sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh",
        arguments: arguments),
      74, "/proc is needed")
  }
}
