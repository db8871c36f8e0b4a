import Foundation
import Synchronization
import FathomStorage

/// Ctrl-C, SIGTERM, SIGQUIT, and SIGHUP where it is not ignored, as under nohup: partial output is removed and the process ends with 130.
package enum Interruption {
  private static let helpers = Mutex<[Int32]>([]), isUnderWay = Atomic(false)
  /// Posted by the signal handlers, which may do little else. Unsafe to the compiler alone: the pointer never changes, what it points to
  /// lives as long as the process and is set up before the handlers, and `sem_post` and `sem_wait` may be called from any thread.
  private nonisolated(unsafe) static let arrived = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// From now on signals are waited for by a thread of their own, which acts whatever the others wait for. Until it runs they end the
  /// process as they do by default.
  /// - Throws: `Failure` where that thread cannot be started.
  package static func handle() throws(Failure) {
    sem_init(arrived, 0, 0)
    _ = Console.errors
    isUnderWay.store(false, ordering: .relaxed)
    let isWaiting = PlainThreads.start {
      while sem_wait(arrived) != 0 {}
      end()
    }
    guard isWaiting else { throw SystemLimits.tooFewThreads }
    var former = sigaction()
    let endsWithTerminal = sigaction(SIGHUP, nil, &former) != 0 || !former.ignores
    for number in [SIGINT, SIGTERM, SIGQUIT] + (endsWithTerminal ? [SIGHUP] : []) {
      signal(number) { _ in
        Interruption.isUnderWay.store(true, ordering: .relaxed)
        sem_post(Interruption.arrived)
      }
    }
  }

  /// Does not return if a signal has arrived: what fails from then on, such as a process that the same key ended, is of no interest.
  package static func yield() { while isUnderWay.load(ordering: .relaxed) { pause() } }

  private static func end() -> Never {
    UnfinishedOutputs.discard {
      Console.write("fathom: interrupted; \(kept ?? "nothing was written")\n")
      // Last, or the thread that waits for it would report that it failed.
      for process in helpers.withLock({ $0 }) { kill(process, SIGTERM) }
      _exit(130)
    }
  }

  /// What is kept although the process could not finish; nil where nothing is.
  package static var kept: String? {
    UnfinishedOutputs.kept.map { path in
      let way = path.hasSuffix(".partial") ? "with --resume" : "with the same command"
      return "finished work is kept in \(path): continue \(way)"
    }
  }

  /// Ends this process, which works for this one, if that is interrupted from now on.
  package static func endsOnInterrupt(_ process: Int32) { helpers.withLock { $0.append(process) } }
  /// The process has ended; its number may become another one's.
  package static func forgets(_ process: Int32) { helpers.withLock { $0.removeAll { $0 == process } } }
}

extension sigaction {
  /// Whether the signal is ignored.
  fileprivate var ignores: Bool {
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
