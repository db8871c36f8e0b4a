import Dispatch
import Synchronization

/// What `body` gives for 0, 1, … `count` − 1, in that order, made by several threads at once.
/// - Parameter threads: At most so many; 1 for the calling one alone.
public func concurrentMap<Value: Sendable>(
  _ count: Int, threads: Int, _ body: @Sendable (Int) -> Value
) -> [Value] {
  let threads = min(threads, count)
  guard threads > 1 else { return (0..<max(count, 0)).map(body) }
  return [Value](unsafeUninitializedCapacity: count) { buffer, initialized in
    // Each place is written by one thread, and read when all are done.
    nonisolated(unsafe) let places = buffer
    // Who is done takes the next, because some take longer than others.
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      while case let index = next.wrappingAdd(1, ordering: .relaxed).oldValue, index < count {
        places.initializeElement(at: index, to: body(index))
      }
    }
    initialized = count
  }
}

/// What two bodies give, made at the same time.
/// - Parameter threads: 1 for one after the other.
public func concurrently<First: Sendable, Second: Sendable>(
  threads: Int, _ first: @Sendable () -> First, _ second: @Sendable () -> Second
) -> (First, Second) {
  let made = concurrentMap(2, threads: threads) { index -> (First?, Second?) in
    index == 0 ? (first(), nil) : (nil, second())
  }
  guard let first = made[0].0, let second = made[1].1 else { preconditionFailure("each body gives one") }
  return (first, second)
}
