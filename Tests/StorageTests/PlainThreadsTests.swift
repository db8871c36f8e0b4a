import Storage
import Testing

@Suite("Work on several threads")
struct PlainThreadsTests {
  @Test("every number is worked on once, and its result stands in its place", arguments: [0, 1, 2, 7, 1000])
  func map(count: Int) {
    for threads in [0, 1, 2, 5] {
      #expect(PlainThreads.map(count, threads: threads) { $0 * $0 } == (0..<count).map { $0 * $0 })
    }
  }
}
