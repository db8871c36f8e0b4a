import DepthCore
import Testing

@Suite("Values made by several threads")
struct ConcurrentMapTests {
  @Test("come in their order, each once, whatever the number of threads", arguments: [0, 1, 2, 7, 1000])
  func order(_ count: Int) {
    for threads in [1, 2, 5, 64] {
      let found = concurrentMap(count, threads: threads) { "value \($0)" }
      #expect(found == (0..<count).map { "value \($0)" }, "\(threads) threads")
    }
  }
}
