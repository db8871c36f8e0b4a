import Dispatch
import Foundation
import Synchronization

/// Ctrl-C and SIGTERM: partial output is removed and the process ends with 130.
enum Interruption {
  private static let partialOutputs = Mutex<[String]>([])
  private static let helpers = Mutex<[Int32]>([])
  private static let remark = Mutex("nothing was written")

  /// Installs the handlers; they act as long as the caller keeps what is returned.
  static func handle() -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      // The default action would end the process before the handler runs.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
      source.setEventHandler {
        for path in partialOutputs.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
        Console.write("fathom: interrupted; \(remark.withLock { $0 })\n")
        // Last, or the thread that waits for it would report that it failed.
        for process in helpers.withLock({ $0 }) { kill(process, SIGTERM) }
        _exit(130)
      }
      source.activate()
      return source
    }
  }

  /// Nothing is removed if the process is interrupted from now on; `remark` says what that is good for.
  static func keepsOnInterrupt(_ remark: String) {
    partialOutputs.withLock { $0.removeAll() }
    self.remark.withLock { $0 = remark }
  }

  /// Ends this process, which works for this one, if that is interrupted from now on.
  static func endsOnInterrupt(_ process: Int32) { helpers.withLock { $0.append(process) } }

  /// The process has ended; its number may become another one's.
  static func forgets(_ process: Int32) { helpers.withLock { $0.removeAll { $0 == process } } }

  /// Removes this file or folder if the process is interrupted from now on.
  static func removesOnInterrupt(_ path: String) { partialOutputs.withLock { $0.append(path) } }
}
