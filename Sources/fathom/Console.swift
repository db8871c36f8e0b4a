import ArgumentParser
import DepthReport
import Foundation
import Logging
import Synchronization
import Storage

/// What every subcommand takes, and where it speaks: results to standard output, the rest to standard error.
struct Console: ParsableArguments {
  @Flag(name: .long, help: "Print errors only.") var quiet = false
  @Flag(name: .long, help: "Say what is being done.") var verbose = false

  func validate() throws {
    if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other") }
  }

  /// Diagnostics, one line each.
  var log: Logger {
    var logger = Logger(label: "fathom") { _ in StandardErrorHandler() }
    logger.logLevel = quiet ? .error : (verbose ? .debug : .notice)
    return logger
  }

  /// A result, on standard output.
  ///
  /// - Throws: `FathomError` where standard output cannot be written.
  func show(_ text: String) throws(FathomError) {
    guard !quiet else { return }
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    } catch {
      throw .inputOutput("standard output", SystemReason.words(), "the files of the run are complete")
    }
  }

  /// A line on standard error, after a progress bar that may stand there is erased; one that cannot be written is lost.
  static func write(_ text: String) {
    let erased = ProgressBar.isOnScreen.withLock { shown in
      defer { shown = false }
      return shown
    }
    try? FileHandle.standardError.write(contentsOf: Data(((erased ? "\r\u{1b}[K" : "") + text).utf8))
  }
}

/// "fathom: warning: …" on standard error, without time stamps, so that messages can be compared.
private struct StandardErrorHandler: LogHandler {
  var logLevel = Logger.Level.notice
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let prefix = event.level >= .warning ? "\(event.level): " : ""
    Console.write("fathom: \(prefix)\(event.message)\n")
  }
}

/// A bar on standard error that is redrawn in place; nothing where that is no terminal.
final class ProgressBar: Sendable {
  private let title: String
  private let total: Int
  private let isShown: Bool
  private let done = Mutex(0)
  /// Whether a bar stands in the terminal's last line.
  static let isOnScreen = Mutex(false)

  init(_ title: String, total: Int, console: Console) {
    (self.title, self.total) = (title, total)
    isShown = !console.quiet && isatty(FileHandle.standardError.fileDescriptor) == 1 && total > 0
    draw(0)
  }

  /// One more step, or the number of steps done so far.
  func advance(to value: Int? = nil) {
    done.withLock { done in
      done = value ?? (done + 1)
      draw(done)
    }
  }

  private func draw(_ done: Int) {
    guard isShown else { return }
    let width = 30
    let filled = min(width, width * done / total)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    let ends = done >= total
    let text = "\r\(title) \(bar) \(done)/\(total)" + (ends ? "\r\u{1b}[K" : "")
    Self.isOnScreen.withLock { $0 = !ends }
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
