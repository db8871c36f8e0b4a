import ArgumentParser
import DepthGraphics
import DepthImport
package import Foundation
package import Logging
import FathomPlainText
package import FathomRuns
import Synchronization
package import FathomStorage

/// What every subcommand takes, and where it speaks: results to standard output, the rest to standard error.
package struct Console: ParsableArguments {
  package init() {}
  @Flag(name: .long, help: "Print errors only.") package var quiet = false
  @Flag(name: .long, help: "Print each step.") package var verbose = false

  package func validate() throws {
    if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other") }
  }

  /// Diagnostics, one line each.
  package var log: Logger {
    var logger = Logger(label: "fathom") { _ in StandardErrorHandler() }
    logger.logLevel = quiet ? .error : (verbose ? .debug : .notice)
    return logger
  }

  /// A result for people, on standard output; what a terminal would obey is shown by its code.
  /// - Parameter files: What was written before, and is complete whatever happens here.
  /// - Throws: `FathomError` where standard output cannot be written.
  package func show(_ text: String, beside files: String? = nil) throws(FathomError) {
    try send(text.visibleLines, beside: files)
  }

  /// The same with words in colour, where a terminal shows it and colour is not switched off (https://no-color.org).
  /// - Parameter words: Whole words, and the codes of their colours.
  /// - Throws: `FathomError` where standard output cannot be written.
  package func show(_ text: String, beside files: String? = nil, painting words: [String: String])
    throws(FathomError)
  {
    let environment = ProcessInfo.processInfo.environment
    let hasColour =
      isatty(FileHandle.standardOutput.fileDescriptor) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
      && environment["TERM"] != "dumb"
    let plain = text.visibleLines
    try send(hasColour ? Self.painted(plain, words) : plain, beside: files)
  }

  /// Words between blanks, in colour.
  package static func painted(_ text: String, _ words: [String: String]) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: " ", omittingEmptySubsequences: false).map { word in
        words[String(word)].map { "\u{1b}[\($0)m\(word)\u{1b}[0m" } ?? String(word)
      }.joined(separator: " ")
    }.joined(separator: "\n")
  }

  /// A result for programs, on standard output: the same JSON, without letters that a terminal would obey.
  /// - Throws: `FathomError` where standard output cannot be written.
  package func show(json: String, beside files: String? = nil) throws(FathomError) {
    try send(json.visibleJSON, beside: files)
  }

  private func send(_ text: String, beside files: String?) throws(FathomError) {
    guard !quiet else { return }
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    } catch {
      throw .inputOutput(
        "standard output", SystemFault(error),
        files.map { "\($0) is complete" } ?? "send it to a place that takes it")
    }
  }

  /// Says that a shard is written, or was.
  package func show(_ shard: ScenePart, at path: String, isNew: Bool, json: Bool) throws(FathomError) {
    guard isNew else { return try showFinished(path, json: json) }
    if !json { try show("Shard \(shard): \(path)", beside: path) }
  }

  /// Says that nothing is left to do in a folder.
  package func showFinished(_ path: String, json: Bool) throws(FathomError) {
    if !json { try show("\(path) is finished; nothing to do") }
  }

  /// Asks about values that were probably meant in another unit.
  package func question(_ doubts: [String]) { for doubt in doubts { log.warning("--\(doubt)") } }

  /// Names what lies beside the recordings and data sets of a folder and is not read.
  package func warnOfOmissions(in data: [String], mapping: String?) {
    for folder in data {
      guard let omission = FolderOfRecordings(folder, mapping: mapping)?.omission else { continue }
      log.warning("\(folder): \(omission)")
    }
  }

  /// For commands that draw: pictures of another font than elsewhere differ from theirs.
  package func warnOfMissingFont() {
    guard !TextFont.isInstalled else { return }
    log.warning(
      "the font \(Canvas.fontFamily) is not installed (Debian: fonts-dejavu-core); pictures have letters of another one"
    )
  }

  /// Standard error by a number of its own: what the drawing library prints is kept from the usual one for a moment (``TextFont``), and an
  /// interruption may come just then. Not inherited by readers.
  package static let errors = {
    let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    return copy < 0 ? FileHandle.standardError : FileHandle(fileDescriptor: copy, closeOnDealloc: false)
  }()

  /// A line on standard error, after a progress bar that may stand there is erased; one that cannot be written is lost.
  package static func write(_ text: String) {
    let erased = ProgressBar.isOnScreen.withLock { shown in
      defer { shown = false }
      return shown
    }
    try? errors.write(contentsOf: Data(((erased ? "\r\u{1b}[K" : "") + text).utf8))
  }
}

/// "fathom: warning: …" on standard error, without time stamps, so that messages can be compared.
private struct StandardErrorHandler: LogHandler {
  var logLevel = Logger.Level.notice, metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let prefix = event.level >= .warning ? "\(event.level): " : ""
    let message = "\(event.message)".split(whereSeparator: \.isNewline).joined(separator: " ")
    Console.write("fathom: \(prefix)\(message.visible)\n")
  }
}

/// How fast steps are done, and how long the rest takes at that rate.
package struct Pace {
  /// ", 312/s, 0:07 left", ", 4.0 s each, 1:20 left"; empty where too little was done to tell.
  package let text: String
  private static let leastSeconds = 0.5  // A rate after less says little.

  package init(done: Int, of total: Int, seconds: Double) {
    guard done > 0, done < total, seconds >= Self.leastSeconds else {
      text = ""
      return
    }
    let rate = Double(done) / seconds
    let left = Int((Double(total - done) / rate).rounded(.up))
    let (hours, minutes, rest) = (left / 3600, left / 60 % 60, left % 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    let shown =
      rate >= 10
      ? "\(Int(rate.rounded()))/s"
      : rate >= 1 ? Quantity.fixed(rate, 1) + "/s" : Quantity.fixed(1 / rate, 1) + " s each"
    text = ", \(shown), \(clock) left"
  }
}

/// A line every half minute, in the place of a bar that no terminal shows.
package struct Heartbeat {
  package static let interval = Duration.seconds(30)
  private let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant
  package init(at now: ContinuousClock.Instant) { (start, last) = (now, now) }

  /// "fusing 120/500, 4.0/s, 1:35 left"; nil where it is not time for one, or nothing is left to do.
  package mutating func line(
    _ title: String, _ done: Int, of total: Int, at now: ContinuousClock.Instant
  ) -> String? {
    guard done < total, last.duration(to: now) >= Self.interval else { return nil }
    last = now
    return
      "\(title) \(done)/\(total)\(Pace(done: done, of: total, seconds: start.duration(to: now) / .seconds(1)).text)"
  }
}

/// A bar on standard error that is redrawn in place; where that is not a terminal, now and then a line.
package final class ProgressBar: Sendable {
  private enum Form { case bar, lines, nothing }
  private let title: String, total: Int, form: Form
  private let state: Mutex<(done: Int, heartbeat: Heartbeat)>
  private let start = ContinuousClock.now
  static let isOnScreen = Mutex(false)  // Whether a bar stands in the terminal's last line.

  package init(_ title: String, total: Int, console: Console) {
    (self.title, self.total) = (title, total)
    let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1
    form = console.quiet || total == 0 ? .nothing : isTerminal ? .bar : .lines
    state = Mutex((0, Heartbeat(at: start)))
    if form == .bar { draw(0) }
  }

  /// One more step, or the number of steps done so far.
  package func advance(to value: Int? = nil) {
    state.withLock { state in
      state.done = value ?? (state.done + 1)
      switch form {
      case .bar: draw(state.done)
      case .lines:
        if let line = state.heartbeat.line(title, state.done, of: total, at: .now) {
          Console.write("fathom: \(line)\n")
        }
      case .nothing: break
      }
    }
  }

  private func draw(_ done: Int) {
    let width = 30
    let filled = min(width, width * done / total)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    let ends = done >= total
    let pace = Pace(done: done, of: total, seconds: start.duration(to: .now) / .seconds(1))
    let text = "\r\(title) \(bar) \(done)/\(total)\(pace.text)\u{1b}[K" + (ends ? "\r\u{1b}[K" : "")
    Self.isOnScreen.withLock { $0 = !ends }
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
