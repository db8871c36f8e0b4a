import ArgumentParser
import Foundation
import FathomPlainText
import FathomStorage

/// What the system gives the process: with too little of it, the libraries below end it with a signal, or wait for ever, instead of
/// reporting an error.
package enum SystemLimits {
  /// Files of the data and the output, a process for the charts with its pipes and watches, and what the runtime opens for itself.
  package static let files = 40
  /// Bytes of addresses: the program and its libraries alone take most of it.
  package static let addresses = 512 << 20
  /// Bytes of memory that can be written, the stacks of the threads included.
  package static let memory = 128 << 20
  /// Bytes of the stack of the first thread, and of those that the runtime starts.
  package static let stack = 1 << 20
  /// Workers and helpers that the runtime starts, with some to spare for the processes that read data.
  package static let threads = 2 * ProcessInfo.processInfo.activeProcessorCount + 6

  /// - Parameter root: Of the file system.
  /// - Throws: `Failure` where something is missing, or less is left.
  package static func check(root: String = "") throws(Failure) {
    try checkPlaces(root)
    try check(RLIMIT_STACK, stack, "of stack", "ulimit -s 8192")
    try check(RLIMIT_AS, addresses, "of addresses", "ulimit -v unlimited")
    try check(RLIMIT_DATA, memory, "of memory", "ulimit -d unlimited")
    try checkFiles()
    guard PlainThreads.startable(threads) == threads else { throw tooFewThreads }
  }

  /// What is said where no further thread can be started.
  package static let tooFewThreads = missing(
    "\(threads) threads are needed, and the system does not allow so many; allow more processes ('ulimit -u', the limit of the container), or try again when fewer run"
  )

  /// What readers are started from, and where their words go.
  private static func checkPlaces(_ root: String) throws(Failure) {
    // Without it there are no arguments either.
    guard access(root + "/proc/self/exe", F_OK) == 0, !CommandLine.arguments.isEmpty else {
      throw missing(
        "/proc is needed, and is not mounted; mount it ('mount -t proc proc /proc')", Failure.inputOutput)
    }
    let descriptor = open(root + "/dev/null", O_RDWR | O_CLOEXEC)
    // Where too many files are open, that is what is said.
    if descriptor < 0, errno == EMFILE { return try checkFiles() }
    guard descriptor >= 0 else {
      let reason = SystemFault.last.words
      throw missing(
        "/dev/null is needed, and cannot be opened: \(reason); create it ('mknod -m 666 /dev/null c 1 3')",
        Failure.inputOutput)
    }
    close(descriptor)
  }

  private static func checkFiles() throws(Failure) {
    var opened: [Int32] = []
    defer { opened.forEach { close($0) } }
    for _ in 0..<files {
      let descriptor = open("/", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw missing(
          "only \(opened.count) more files may be opened, and \(files) are needed; allow more with 'ulimit -n 256'"
        )
      }
      opened.append(descriptor)
    }
  }

  /// Data sets stay open while a job works on them: lets the process open as many files as it may allow itself.
  package static func raiseFiles() {
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0, limit.rlim_cur < min(limit.rlim_max, mostFiles) else { return }
    limit.rlim_cur = min(limit.rlim_max, mostFiles)
    _ = setrlimit(kind, &limit)
  }

  private static let mostFiles: rlim_t = 65_536  // More would be a slip.

  private static func check(
    _ kind: __rlimit_resource, _ needed: Int, _ what: String, _ remedy: String
  ) throws(Failure) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(kind.rawValue), &limit) == 0, limit.rlim_cur < UInt(needed)
    else { return }
    throw missing(
      "the process may use \(limit.rlim_cur >> 10) kB \(what), and \(needed >> 10) kB are needed; allow more with '\(remedy)'"
    )
  }

  private static func missing(_ words: String, _ code: ExitCode = Failure.shortage) -> Failure {
    Failure(message: "cannot start: \(words)", code: code)
  }
}
