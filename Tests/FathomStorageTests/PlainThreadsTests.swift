import Foundation
import FathomStorage
import Testing

/// Gives threads another stack by default, as a limit of the process would have done.
private func setDefaultStack(_ size: Int) -> Bool {
  // Swift's module of the C library leaves it out.
  typealias Setter = @convention(c) (UnsafePointer<pthread_attr_t>) -> Int32
  guard let symbol = dlsym(nil, "pthread_setattr_default_np") else { return false }
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  defer { attributes.deallocate() }
  pthread_attr_init(attributes)
  return pthread_attr_setstacksize(attributes, size) == 0
    && unsafeBitCast(symbol, to: Setter.self)(attributes) == 0
}

/// Bytes of the stack of the calling thread; 0 where it is unknown.
private func ownStack() -> Int {
  typealias Getter = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32
  guard let symbol = dlsym(nil, "pthread_getattr_np") else { return 0 }
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  defer { attributes.deallocate() }
  guard unsafeBitCast(symbol, to: Getter.self)(pthread_self(), attributes) == 0 else { return 0 }
  var size = 0
  pthread_attr_getstacksize(attributes, &size)
  return size
}

@Suite("Work on several threads")
struct PlainThreadsTests {
  @Test("every number is worked on once, and its result stands in its place", arguments: [0, 1, 2, 7, 1000])
  func map(count: Int) {
    for threads in [0, 1, 2, 5] {
      #expect(PlainThreads.map(count, threads: threads) { $0 * $0 } == (0..<count).map { $0 * $0 })
    }
  }

  @Test("as many threads as can be there at once are counted, and none of them stays")
  func startable() async {
    #expect(PlainThreads.startable(20) == 20)
    await #expect(processExitsWith: .exitCode(42)) {
      guard setDefaultStack(8 << 20) else { _exit(1) }
      // Room for three stacks and a half, beside what is taken already.
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmData:") }
      guard let taken = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap({ UInt($0) }) else {
        _exit(1)
      }
      let most = taken << 10 + 28 << 20
      var limit = rlimit(rlim_cur: most, rlim_max: most)
      guard setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else { _exit(2) }
      let count = PlainThreads.startable(20)
      // What does not fit is done by those that there are.
      let values = PlainThreads.map(100, threads: 20) { $0 }
      _exit((1...3).contains(count) && values == Array(0..<100) ? 42 : 3)
    }
  }

  @Test("their stacks do not depend on what the process was given")
  func stacks() async {
    await #expect(processExitsWith: .exitCode(42)) {
      guard setDefaultStack(256 << 10) else { _exit(1) }
      let isStarted = PlainThreads.start { _exit(ownStack() >= 8 << 20 ? 42 : 2) }
      guard isStarted else { _exit(3) }
      while true { pause() }
    }
  }
}
