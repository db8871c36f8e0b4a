import Foundation

/// How many files the process may have open: where too few are, libraries below end it with a signal instead of an error.
enum OpenFileLimit {
  /// Files, a process for the charts with its pipes and watches, and what the runtime opens for itself, at the most.
  static let needed = 40

  /// - Throws: `Failure` where fewer are left.
  static func check() throws(Failure) {
    var opened: [Int32] = []
    defer { opened.forEach { close($0) } }
    for _ in 0..<needed {
      let descriptor = open("/", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw Failure(
          message:
            "cannot start: only \(opened.count) more files may be opened, and \(needed) are needed; allow more with 'ulimit -n 256'",
          code: Failure.inputOutput)
      }
      opened.append(descriptor)
    }
  }
}
