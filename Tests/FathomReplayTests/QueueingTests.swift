import DepthCore
import Foundation
import Testing

@testable import FathomReplay

/// The simulation against queues whose answers are known in closed form.
@Suite struct QueueingTests {
  private static let second = 1_000_000_000

  /// Poisson arrivals and a fixed service time with room for K in all: the share of time with each number in the system, from the
  /// chain embedded at departures (Gross and Harris, Fundamentals of Queueing Theory, 5.1.8), and so the share that is refused.
  private static func refusedShare(load: Double, room: Int) -> Double {
    // Arrivals during a service.
    var arrivals = [exp(-load)]
    for count in 1...(room + 1) { arrivals.append(arrivals[count - 1] * load / Double(count)) }
    // Unnormalised probabilities that a departure leaves n behind, n < K.
    var behind = [1.0]
    for n in 0..<max(0, room - 1) {
      var next = behind[n] - behind[0] * arrivals[n]
      for k in stride(from: 1, through: n, by: 1) { next -= behind[k] * arrivals[n - k + 1] }
      behind.append(next / arrivals[0])
    }
    let first = behind[0] / behind.reduce(0, +)
    // Carried load = 1 − p(empty); what is refused is what is offered and not carried.
    return 1 - 1 / (first + load)
  }

  @Test(
    "M/D/1/K refuses the share of frames that theory says",
    arguments: [(0.5, 1), (0.5, 2), (0.8, 3), (0.95, 4), (1.3, 2), (2.7, 5)])
  func poisson(load: Double, room: Int) {
    let service = 10_000_000
    var generator = SplitMix64(seed: 7, stream: "arrivals", "\(load)", "\(room)")
    var (time, captures) = (0.0, [Int]())
    let count = 200_000
    for _ in 0..<count {
      let unit = (Double(generator.next() >> 11) + 1) * 0x1p-53
      time -= log(unit) * Double(service) / load
      captures.append(Int(time.rounded()))
    }
    let trace = LivePipeline(pool: room, policy: .queue).run(captures) { _, _ in service }
    let expected = Self.refusedShare(load: load, room: room)
    // Refusals come in bursts: ten standard errors of independent ones.
    let tolerance = 10 * (expected * (1 - expected) / Double(count)).squareRoot()
    #expect(abs(Double(trace.starved) / Double(count) - expected) < tolerance)
    #expect(trace.dropped == 0)
    #expect(trace.mostHeld == room)
  }

  @Test("theory of one place is Erlang's formula", arguments: [0.2, 1, 3])
  func erlang(load: Double) {
    #expect(abs(Self.refusedShare(load: load, room: 1) - load / (1 + load)) < 1e-12)
  }

  @Test("with a long queue the waiting time is that of Pollaczek and Khinchin")
  func waiting() throws {
    let (service, load, count) = (10_000_000, 0.7, 200_000)
    var generator = SplitMix64(seed: 3)
    var (time, captures) = (0.0, [Int]())
    for _ in 0..<count {
      time -= log((Double(generator.next() >> 11) + 1) * 0x1p-53) * Double(service) / load
      captures.append(Int(time.rounded()))
    }
    let results = LivePipeline(pool: 1000, policy: .queue).run(captures) { _, _ in service }.results
    try #require(results.count == count)
    let mean = results.reduce(0.0) { $0 + Double($1.started - $1.captured) } / Double(count)
    let expected = load / (2 * (1 - load)) * Double(service)
    #expect(abs(mean / expected - 1) < 0.03)
  }

  @Test(
    "D/D/1: while one frame is analysed, ceil(s/T) − 1 are dropped",
    arguments: [1, 5, 16, 17, 33, 34, 45, 50, 51, 99, 100, 101, 250])
  func steady(milliseconds: Int) {
    let captures = DisplayClock(60).ticks(upTo: 30 * Self.second - 1)
    let service = milliseconds * 1_000_000
    let trace = LivePipeline(pool: 4, policy: .drop).run(captures) { _, _ in service }
    // A frame that comes at the very end of an analysis is analysed.
    let step = max(1, (service * 60 + Self.second - 1) / Self.second)
    #expect(captures.count == 1800)
    #expect(trace.analysed == (captures.count + step - 1) / step)
    #expect(trace.dropped == captures.count - trace.analysed)
    #expect(trace.starved == 0)
  }

  @Test("D/D/1/K: a queue that is too slow fills up, then starves the camera at the rate of the difference")
  func starving() {
    let captures = DisplayClock(60).ticks(upTo: 30 * Self.second - 1)
    let service = 45_000_000
    let room = 3
    let trace = LivePipeline(pool: room, policy: .queue).run(captures) { _, _ in service }
    let last = trace.results.last
    // The server is never idle, so that one result comes every 45 ms.
    let first = trace.results.prefix { $0.captured < 30 * Self.second }
    #expect(first.indices.dropFirst().allSatisfy { first[$0].started == first[$0 - 1].finished })
    #expect(trace.analysed == (last?.finished ?? 0) / service)
    #expect(trace.starved == 1800 - trace.analysed)
    #expect(trace.dropped == 0)
    // Waiting for two before it and itself, less what is left of the one in flight.
    let waits = trace.results.dropFirst(100).map { $0.finished - $0.captured }
    #expect(waits.allSatisfy { $0 > (room - 1) * service && $0 <= room * service })
  }

  @Test("a queue that is fast enough needs one buffer and drops nothing")
  func fast() {
    let captures = DisplayClock(60).ticks(upTo: 10 * Self.second)
    let trace = LivePipeline(pool: 1, policy: .queue).run(captures) { _, _ in 16_000_000 }
    #expect(trace.analysed == captures.count)
    #expect(trace.mostHeld == 1)
  }
}
