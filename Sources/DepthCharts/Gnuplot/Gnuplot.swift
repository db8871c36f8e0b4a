internal import Dispatch
internal import Foundation
import PlainText

/// The gnuplot program: one process draws any number of figures.
struct Gnuplot {
  let executable: URL
  /// Seconds after which a process counts as stuck.
  let timeout: Double

  /// A figure usually takes some 25 ms, a map of five thousand cells 0.1 s.
  static let defaultTimeout = 120.0

  static let installation =
    "install it (Debian, Ubuntu: apt install gnuplot-nox; elsewhere: www.gnuplot.info) and run again"

  init(executable: URL, timeout: Double = defaultTimeout) {
    (self.executable, self.timeout) = (executable, timeout)
  }

  /// - Parameter path: Folders separated by colons; by default those in which a shell looks.
  static func onPath(
    _ path: String = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
  ) throws(ChartError) -> Gnuplot {
    for folder in path.split(separator: ":") {
      let candidate = URL(fileURLWithPath: String(folder)).appendingPathComponent("gnuplot")
      if FileManager.default.isExecutableFile(atPath: candidate.path) {
        return Gnuplot(executable: candidate)
      }
    }
    throw ChartError(
      operation: "draw figures", reason: "there is no gnuplot on the PATH", advice: installation)
  }

  /// - Throws: `ChartError` if this is no gnuplot, or one older than 5.4.
  func requireVersion() throws(ChartError) {
    let folder = try GnuplotFolder()
    defer { folder.remove() }
    let words = try run(["--version"], in: folder)
    let numbers = words.split(separator: " ").dropFirst().first?.split(separator: ".").compactMap { Int($0) }
    guard words.hasPrefix("gnuplot "), let numbers, numbers.count == 2 else {
      throw ChartError(
        operation: "draw figures", reason: "\(executable.path) says its version is '\(words.prefix(80))'",
        advice: Self.installation)
    }
    guard (numbers[0], numbers[1]) >= (5, 4) else {
      throw ChartError(
        operation: "draw figures",
        reason: "\(executable.path) is version \(numbers[0]).\(numbers[1]), and 5.4 is needed",
        advice: Self.installation)
    }
  }

  /// gnuplot's SVG document of every panel, in the same order.
  func documents(_ panels: [Panel]) throws(ChartError) -> [String] {
    let folder = try GnuplotFolder()
    defer { folder.remove() }
    let names = panels.indices.map { "\($0).svg" }
    try folder.write(GnuplotScript(panels, outputs: names).text, to: "figures.gp")
    // -d: a user's start-up files must not change the figures.
    _ = try run(["-d", "figures.gp"], in: folder)
    var documents = [String]()
    for name in names { documents.append(try folder.read(name)) }
    return documents
  }

  /// Runs gnuplot in the folder to its end.
  ///
  /// - Returns: What it wrote to standard output, without the last line feed.
  private func run(_ arguments: [String], in folder: GnuplotFolder) throws(ChartError) -> String {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.environment = Self.neutral(ProcessInfo.processInfo.environment)
    process.standardInput = FileHandle.nullDevice
    // Files, because a pipe that nobody empties would stop the process.
    process.standardOutput = try folder.handle("output.txt")
    process.standardError = try folder.handle("errors.txt")
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    do { try process.run() } catch {
      throw ChartError(
        operation: "start \(executable.path)", reason: SystemReason.words(starting: error),
        advice: "check that it can be started, or leave out what is drawn with --no-figures")
    }
    if ended.wait(timeout: .now() + timeout) == .timedOut {
      kill(process.processIdentifier, SIGKILL)
      ended.wait()
      throw failure("it did not end within \(Int(timeout.rounded(.up))) s", in: folder)
    }
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let end = process.terminationReason == .exit ? "status" : "signal"
      throw failure("it ended with \(end) \(process.terminationStatus)", in: folder)
    }
    return try folder.read("output.txt").trimmingCharacters(in: .newlines)
  }

  private func failure(_ end: String, in folder: GnuplotFolder) -> ChartError {
    let words = ((try? folder.read("errors.txt")) ?? "").split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }.suffix(4)
      .joined(separator: " / ")
    return ChartError(
      operation: "draw figures with \(executable.path)",
      reason: end + (words.isEmpty ? " and said nothing" : " and said: \(words.suffix(400))"),
      advice: "check that 'gnuplot' works by itself, and run again")
  }

  /// Without what lets a user or a locale change gnuplot's answers.
  private static func neutral(_ environment: [String: String]) -> [String: String] {
    var kept = environment.filter { name, _ in
      !["GNUPLOT", "GNUTERM", "LC_", "LANG", "FIT_"].contains { name.hasPrefix($0) }
    }
    kept["LC_ALL"] = "C.UTF-8"
    return kept
  }
}
