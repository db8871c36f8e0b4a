import Dispatch
import Foundation
import Synchronization

/// Ctrl-C and SIGTERM: partial output is removed and the process ends with 130.
enum Interruption {
  private static let partialOutputs = Mutex<[String]>([])

  /// Installs the handlers; they act as long as the caller keeps what is returned.
  static func handle() -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      // The default action would end the process before the handler runs.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
      source.setEventHandler {
        for path in partialOutputs.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
        Console.write("fathom: interrupted; nothing was written\n")
        _exit(130)
      }
      source.activate()
      return source
    }
  }

  /// Removes this file or folder if the process is interrupted from now on.
  static func removesOnInterrupt(_ path: String) { partialOutputs.withLock { $0.append(path) } }
}
