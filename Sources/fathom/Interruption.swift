import Dispatch
import Foundation
import Synchronization
import Storage

/// Ctrl-C and SIGTERM: partial output is removed and the process ends with 130.
enum Interruption {
  private static let helpers = Mutex<[Int32]>([])
  private static let remark = Mutex("nothing was written")

  /// Installs the handlers; they act as long as the caller keeps what is returned.
  static func handle() -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      // The default action would end the process before the handler runs.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
      source.setEventHandler {
        UnfinishedOutputs.discard()
        Console.write("fathom: interrupted; \(remark.withLock { $0 })\n")
        // Last, or the thread that waits for it would report that it failed.
        for process in helpers.withLock({ $0 }) { kill(process, SIGTERM) }
        _exit(130)
      }
      source.activate()
      return source
    }
  }

  /// What is said if the process is interrupted from now on: what is kept.
  static func says(_ remark: String) { self.remark.withLock { $0 = remark } }

  /// Ends this process, which works for this one, if that is interrupted from now on.
  static func endsOnInterrupt(_ process: Int32) { helpers.withLock { $0.append(process) } }

  /// The process has ended; its number may become another one's.
  static func forgets(_ process: Int32) { helpers.withLock { $0.removeAll { $0 == process } } }
}
