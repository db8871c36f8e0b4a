import Foundation
import Testing

/// The built executable in a process of its own, for what a test must survive: crashes, loops, and memory.
struct BuiltCommand {
  /// Beside the tests; nil where it was not built.
  static let path = built("fathom")

  /// A program of the package.
  static func built(_ name: String) -> String? {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<4 {
      let candidate = folder.appendingPathComponent(name).path
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue {
        return candidate
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  static let comment: Comment = "the executable was not built beside the tests"

  /// nil where it was stopped because the time was over.
  let code: Int32?
  /// Number of the signal that ended it; 0 for none.
  let signal: Int32
  /// Largest resident memory of it and of each process that it started, bytes, sampled every 5 ms. What `wait4` tells
  /// begins with that of the process that spawned it.
  let memory: Int
  let output: String, errors: String

  /// Lines on standard error.
  var errorLines: [Substring] { errors.split(separator: "\n") }

  /// Runs it with a limit on time.
  ///
  /// - Parameter launcher: A program that starts it, and its own words.
  init(_ arguments: [String], in folder: URL, seconds: Double, through launcher: [String] = []) throws {
    let name = UUID().uuidString
    let outputFile = folder.appendingPathComponent("\(name).out"),
      errorFile = folder.appendingPathComponent("\(name).err")
    defer { for file in [outputFile, errorFile] { try? FileManager.default.removeItem(at: file) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, outputFile.path, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errorFile.path, O_WRONLY | O_CREAT, 0o600)
    let path = try #require(Self.path)
    let all = launcher + [path] + arguments
    let words = all.map { strdup($0) }
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    try #require(posix_spawn(&process, all[0], &actions, nil, words + [nil], environ) == 0)
    let deadline = Date(timeIntervalSinceNow: seconds)
    var (status, memory, isStopped) = (Int32(0), 0, false)
    while waitpid(process, &status, WNOHANG) == 0 {
      memory = max(memory, Self.largest(process))
      if !isStopped, Date() > deadline {
        kill(process, SIGKILL)
        isStopped = true
      }
      usleep(5000)
    }
    signal = status & 0x7F
    code = isStopped || signal != 0 ? nil : status >> 8 & 0xFF
    self.memory = memory
    output = String(decoding: (try? Data(contentsOf: outputFile)) ?? Data(), as: UTF8.self)
    errors = String(decoding: (try? Data(contentsOf: errorFile)) ?? Data(), as: UTF8.self)
  }

  /// Peak of a process and of those that it started and that are still there.
  private static func largest(_ process: pid_t) -> Int {
    func text(_ file: String) -> String {
      (try? String(contentsOfFile: "/proc/\(process)/\(file)", encoding: .utf8)) ?? ""
    }
    // Before it is another program, it is this one.
    guard let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe"),
      executable == path.map({ URL(fileURLWithPath: $0).resolvingSymlinksInPath().path })
    else { return 0 }
    let peak = text("status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      .flatMap { Int($0.split(separator: " ", omittingEmptySubsequences: true).dropFirst().first ?? "") }
    let inner = text("task/\(process)/children").split(separator: " ").compactMap { pid_t($0) }.map(largest)
    return max((peak ?? 0) * 1024, inner.max() ?? 0)
  }
}
