import Foundation

/// What the system allows the process: with too little of it, the libraries below end it with a signal instead of an error.
enum SystemLimits {
  /// Files of the data and the output, a process for the charts with its pipes and watches, and what the runtime opens for itself.
  static let files = 40
  /// Bytes of addresses: the program and its libraries alone take most of it.
  static let addresses = 512 << 20

  /// - Throws: `Failure` where less is left.
  static func check(files: Int = files, addresses: Int = addresses) throws(Failure) {
    try check(addresses: addresses)
    var opened: [Int32] = []
    defer { opened.forEach { close($0) } }
    for _ in 0..<files {
      let descriptor = open("/", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw Failure(
          message:
            "cannot start: only \(opened.count) more files may be opened, and \(files) are needed; allow more with 'ulimit -n 256'",
          code: Failure.inputOutput)
      }
      opened.append(descriptor)
    }
  }

  /// Data sets stay open while a job works on them: lets the process open as many files as it may allow itself.
  static func raiseFiles() {
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0, limit.rlim_cur < min(limit.rlim_max, mostFiles) else { return }
    limit.rlim_cur = min(limit.rlim_max, mostFiles)
    _ = setrlimit(kind, &limit)
  }

  /// More would be a slip.
  private static let mostFiles: rlim_t = 65_536

  private static func check(addresses: Int) throws(Failure) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < UInt(addresses)
    else { return }
    throw Failure(
      message:
        "cannot start: the process may use \(limit.rlim_cur >> 20) MB of memory, and \(addresses >> 20) MB are needed; allow more with 'ulimit -v unlimited'",
      code: Failure.inputOutput)
  }
}
