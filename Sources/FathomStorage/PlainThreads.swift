private import Foundation
internal import Glibc
private import Synchronization

/// Work on several threads that need nothing of the system but memory and time.
///
/// Dispatch's own threads are watched by one that reads `/proc`, and ends the process where that is forbidden, as it is in a confined reader.
package enum PlainThreads {
  private final class Work<Value: Sendable>: Sendable {
    private let next = Atomic(0)
    private let results: Mutex<[Value?]>, count: Int, body: @Sendable (Int) -> Value

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
  /// - Parameter threads: At most so many at once.
  package static func map<Value: Sendable>(
    _ count: Int, threads: Int = cores, _ body: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    let work = Work(count, body)
    var others: [pthread_t] = []
    for _ in 1..<max(1, min(threads, count)) {
      if let thread = begin(work.run) { others.append(thread) }
    }
    work.run()
    for thread in others { pthread_join(thread, nil) }
    return work.values
  }

  /// Starts a thread that is not waited for.
  /// - Returns: Whether it could be started.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = begin(body) else { return false }
    pthread_detach(thread)
    return true
  }

  /// How many of so many threads can be there at once, with stacks as libraries give them; found by starting them.
  package static func startable(_ count: Int) -> Int {
    let gate = Mutex(())
    let threads = gate.withLock { _ in
      var threads: [pthread_t] = []
      while threads.count < count, let thread = begin(stack: nil, { gate.withLock { _ in } }) {
        threads.append(thread)
      }
      return threads
    }
    for thread in threads { pthread_join(thread, nil) }
    return threads.count
  }

  /// Bytes of the stack of each, whatever the process was given for its own.
  private static let stack = 8 << 20

  /// - Parameter stack: Bytes of it; nil for what the process was given.
  /// - Returns: nil where no further thread can be started.
  private static func begin(stack: Int? = stack, _ body: @escaping @Sendable () -> Void) -> pthread_t? {
    var (thread, attributes) = (pthread_t(), pthread_attr_t())
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stack { pthread_attr_setstacksize(&attributes, stack) }
    let beginning = Unmanaged.passRetained(Beginning(body))
    let failure = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Beginning>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, beginning.toOpaque())
    if failure == 0 { return thread }
    beginning.release()
    return nil
  }
}
