private import Foundation
internal import Glibc
private import Synchronization

/// Work on several threads that need nothing of the system but memory and time.
///
/// Dispatch's own threads are watched by one that reads `/proc`, and ends the process where that is forbidden, as it is in a confined reader.
package enum PlainThreads {
  private final class Work<Value: Sendable>: Sendable {
    private let next = Atomic(0)
    private let results: Mutex<[Value?]>
    private let count: Int
    private let body: @Sendable (Int) -> Value

    init(_ count: Int, _ body: @escaping @Sendable (Int) -> Value) {
      (self.count, self.body) = (count, body)
      results = Mutex([Value?](repeating: nil, count: count))
    }

    func run() {
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        let value = body(index)
        results.withLock { $0[index] = value }
      }
    }

    /// - Precondition: All is done.
    var values: [Value] { results.withLock { $0.compactMap(\.self) } }
  }

  /// What a thread begins with: a C function knows no types of its caller.
  private final class Beginning: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// The cores that there are, at most eight: the stacks of more would fill what memory a confined reader has.
  package static let cores = min(ProcessInfo.processInfo.activeProcessorCount, 8)

  /// What a function gives for every number from 0 up, called on the calling thread and others.
  ///
  /// Where no further thread can be made, the others do its work.
  ///
  /// - Parameter threads: At most so many at once.
  package static func map<Value: Sendable>(
    _ count: Int, threads: Int = cores, _ body: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    let work = Work(count, body)
    var others: [pthread_t] = []
    for _ in 1..<max(1, min(threads, count)) {
      var thread = pthread_t()
      let beginning = Unmanaged.passRetained(Beginning(work.run))
      let failure = pthread_create(
        &thread, nil,
        { argument in
          if let argument { Unmanaged<Beginning>.fromOpaque(argument).takeRetainedValue().run() }
          return nil
        }, beginning.toOpaque())
      if failure == 0 { others.append(thread) } else { beginning.release() }
    }
    work.run()
    for thread in others { pthread_join(thread, nil) }
    return work.values
  }
}
