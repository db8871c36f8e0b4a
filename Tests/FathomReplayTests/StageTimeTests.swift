import DepthCore
import Testing

@testable import FathomReplay

@Suite struct StageTimeTests {
  @Test(
    "times are read as they are written",
    arguments: [
      ("45ms", StageTime.fixed(45_000_000)), ("0.1s", .fixed(100_000_000)), ("800us", .fixed(800_000)),
      ("uniform(30ms;60ms)", .uniform(30_000_000, 60_000_000)),
      ("normal(45ms;5ms)", .normal(mean: 45_000_000, deviation: 5_000_000)),
      ("exponential(45ms)", .exponential(mean: 45_000_000)), ("0ms", .fixed(0)),
    ])
  func reading(text: String, time: StageTime) throws {
    let read = try #require(StageTime(text))
    #expect(read == time)
    #expect(StageTime(read.description) == time)
  }

  @Test(
    "what is not a time is refused",
    arguments: [
      "-1ms", "45", "ms", "", "45 minutes", "nanms", "infms", "2h", "uniform(60ms;30ms)", "uniform(1ms)",
      "normal(1ms;-1ms)", "gamma(1ms)", "exponential(1ms;2ms)", "1e9s", "uniform(1ms;2ms",
    ])
  func refused(text: String) { #expect(StageTime(text) == nil) }

  @Test(
    "draws have the mean that they should and are never negative",
    arguments: [
      StageTime.uniform(30_000_000, 60_000_000), .normal(mean: 45_000_000, deviation: 5_000_000),
      .exponential(mean: 45_000_000), .measured([10, 20, 60]), .fixed(7),
    ])
  func draws(time: StageTime) {
    var generator = SplitMix64(seed: 9)
    let draws = (0..<50_000).map { _ in time.draw(using: &generator) }
    let mean = draws.reduce(0) { $0 + Double($1) } / Double(draws.count)
    #expect(abs(mean - time.mean) < 0.02 * time.mean)
    #expect(draws.allSatisfy { $0 >= 0 })
  }
}
