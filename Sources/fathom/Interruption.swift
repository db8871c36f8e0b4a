import Dispatch
import Foundation
import Synchronization
import Storage

/// Ctrl-C, SIGTERM, and SIGHUP where it is not ignored, as under nohup: partial output is removed and the process ends with 130.
enum Interruption {
  private static let helpers = Mutex<[Int32]>([])

  /// Installs the handlers; they act as long as the caller keeps what is returned.
  static func handle() -> [any DispatchSourceSignal] {
    var former = sigaction()
    let endsWithTerminal = sigaction(SIGHUP, nil, &former) != 0 || !former.ignores
    return ([SIGINT, SIGTERM] + (endsWithTerminal ? [SIGHUP] : [])).map { number in
      // The default action would end the process before the handler runs.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
      source.setEventHandler {
        UnfinishedOutputs.discard()
        Console.write("fathom: interrupted; \(kept ?? "nothing was written")\n")
        // Last, or the thread that waits for it would report that it failed.
        for process in helpers.withLock({ $0 }) { kill(process, SIGTERM) }
        _exit(130)
      }
      source.activate()
      return source
    }
  }

  /// What is kept although the process could not finish; nil where nothing is.
  static var kept: String? {
    UnfinishedOutputs.kept.map { path in
      let way = path.hasSuffix(".partial") ? "with --resume" : "with the same command"
      return "finished work is kept in \(path): continue \(way)"
    }
  }

  /// Ends this process, which works for this one, if that is interrupted from now on.
  static func endsOnInterrupt(_ process: Int32) { helpers.withLock { $0.append(process) } }

  /// The process has ended; its number may become another one's.
  static func forgets(_ process: Int32) { helpers.withLock { $0.removeAll { $0 == process } } }
}

extension sigaction {
  /// Whether the signal is ignored.
  fileprivate var ignores: Bool {
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
