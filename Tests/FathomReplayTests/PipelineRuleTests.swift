import DepthCore
import Testing

@testable import FathomReplay

/// The rules of the seed "Using Vision in Real Time with ARKit", whatever the load.
@Suite struct PipelineRuleTests {
  private static let captures = DisplayClock(60).ticks(upTo: 5_000_000_000)

  private static let settings: [LivePipeline] = AdmissionPolicy.allCases.flatMap { policy in
    [1, 2, 3, 7].flatMap { pool in
      [1, 2, 3].map { LivePipeline(pool: pool, held: $0, policy: policy, display: 60) }
    }
  }

  private static func trace(_ pipeline: LivePipeline, seed: UInt64 = 5) -> LiveTrace {
    let stages = [
      LiveStage("detect", .exponential(mean: 30_000_000)), LiveStage("fuse", .uniform(0, 20_000_000)),
    ]
    return pipeline.run(captures) { frame, _ in stages.duration(frame: frame, seed: seed) }
  }

  @Test("a second frame is never analysed while one is in flight", arguments: settings)
  func serial(pipeline: LivePipeline) {
    let results = Self.trace(pipeline).results.sorted { $0.started < $1.started }
    for (earlier, later) in zip(results, results.dropFirst()) { #expect(later.started >= earlier.finished) }
    #expect(results.allSatisfy { $0.started >= $0.captured && $0.shown >= $0.finished })
    #expect(results.isEmpty == (pipeline.held > pipeline.pool))
  }

  @Test("a buffer is never held by two, and no more are held than there are", arguments: settings)
  func buffers(pipeline: LivePipeline) {
    let trace = Self.trace(pipeline)
    var spans: [Int: [(from: Int, to: Int)]] = [:]
    for frame in trace.frames {
      #expect(frame.buffers.count == 0 || frame.buffers.count == pipeline.held)
      for buffer in frame.buffers {
        #expect(buffer >= 0 && buffer < pipeline.pool)
        spans[buffer, default: []].append((frame.captured, frame.released ?? .max))
      }
    }
    for spans in spans.values {
      for (earlier, later) in zip(spans, spans.dropFirst()) { #expect(later.from >= earlier.to) }
    }
    #expect(trace.mostHeld <= pipeline.pool)
    #expect(trace.frames.allSatisfy { $0.buffers.isEmpty || $0.released != nil })
  }

  @Test("every frame has one fate", arguments: settings)
  func fates(pipeline: LivePipeline) {
    let trace = Self.trace(pipeline)
    #expect(trace.frames.count == Self.captures.count)
    #expect(trace.analysed + trace.dropped + trace.starved + trace.untracked == trace.frames.count)
    if pipeline.policy == .queue { #expect(trace.dropped == 0) }
    if pipeline.policy == .drop, pipeline.pool > pipeline.held { #expect(trace.starved == 0) }
  }

  @Test("the document's app needs one buffer more than it holds")
  func pool() {
    let slow: (Int, Int) -> Int = { _, _ in 45_000_000 }
    let one = LivePipeline(pool: 1).run(Self.captures, service: slow)
    let two = LivePipeline(pool: 2).run(Self.captures, service: slow)
    #expect(one.analysed == two.analysed)
    #expect((one.dropped, one.starved) == (0, two.dropped))
    #expect(two.starved == 0)
  }

  @Test("with latest, the newest frame that came meanwhile is next")
  func latest() {
    let trace = LivePipeline(pool: 8, policy: .latest).run(Self.captures) { _, _ in 45_000_000 }
    let results = trace.results
    for (earlier, later) in zip(results, results.dropFirst()) {
      let newest = Self.captures.last { $0 < earlier.finished && $0 > earlier.captured }
      #expect(later.captured == newest)
      #expect(later.started == earlier.finished)
    }
    #expect(results.count > 100)
  }

  @Test("a frame without tracking is not looked at and holds nothing")
  func tracking() {
    let trace = LivePipeline(pool: 2).run(Self.captures, isTracked: { $0 % 3 != 0 }) { _, _ in 1_000_000 }
    #expect(trace.untracked == Self.captures.indices.count { $0 % 3 == 0 })
    #expect(trace.frames.allSatisfy { $0.fate != .untracked || $0.buffers.isEmpty })
    #expect(trace.analysed == Self.captures.count - trace.untracked)
  }

  @Test("the age on screen grows from one result to the next")
  func ages() throws {
    // 45 ms at 60 Hz: every third frame is analysed and shown 50 ms after its capture, so that ages are 50, 66.7 and 83.3 ms.
    let trace = LivePipeline(pool: 2, display: 60).run(Self.captures) { _, _ in 45_000_000 }
    #expect(trace.results.allSatisfy { abs($0.latency - 50_000_000) <= 1 })
    let ages = try #require(Spread(nanoseconds: trace.ages))
    #expect(abs(ages.median - 66.667) < 0.01)
    #expect(abs(ages.largest - 83.333) < 0.01)
    #expect(trace.ages.allSatisfy { $0 >= 49_999_999 })
  }

  @Test("events of one time come by rank, then as they were added")
  func order() {
    var queue = EventQueue<Int>()
    var generator = SplitMix64(seed: 1)
    var expected: [(time: Int, rank: Int, number: Int)] = []
    for number in 0..<500 {
      let (time, rank) = (Int(generator.next() % 20), Int(generator.next() % 3))
      queue.add(number, at: time, rank: rank)
      expected.append((time, rank, number))
    }
    expected.sort { $0 < $1 }
    var found: [Int] = []
    while let next = queue.next() { found.append(next.event) }
    #expect(found == expected.map(\.number))
    #expect(queue.isEmpty)
  }

  @Test("the same seed gives the same result, another one another")
  func seeds() {
    let pipeline = LivePipeline(pool: 4, policy: .latest, display: 60)
    #expect(Self.trace(pipeline) == Self.trace(pipeline))
    #expect(Self.trace(pipeline) != Self.trace(pipeline, seed: 6))
  }
}
