import DepthCore
import Testing

@testable import DepthEvaluation

@Suite("Pixels below an error")
struct ErrorCountsTests {
  @Test("the limits are decimals from 1 mm to 10 m, ten to a decade")
  func limits() {
    let limits = ErrorCounts.limits
    #expect(limits.count == 41 && limits.first == 0.001 && limits.last == 10)
    #expect([0.00125, 0.0315, 0.1, 0.63, 2.5].allSatisfy(limits.contains))
    #expect(zip(limits, limits.dropFirst()).allSatisfy { $1 / $0 > 1.2 && $1 / $0 < 1.3 })
  }

  @Test("counts what is strictly below each limit, as a search does", arguments: [UInt64(1), 2, 3])
  func counts(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var errors = (0..<5000).map { _ in pow10(Double.random(in: -5...2, using: &generator)) }
    // Limits themselves and their neighbours, zero, and what is beyond all.
    errors += ErrorCounts.limits + ErrorCounts.limits.map(\.nextDown) + ErrorCounts.limits.map(\.nextUp)
    errors += [0, .leastNonzeroMagnitude, 1e9]
    let predicted = errors.map { $0 + 1 }
    let found = try #require(
      PassFixture(predicted, reference: errors.map { _ in 1 }).scores.errors)
    let present = predicted.map { $0 - 1 }
    #expect(found.truthCount == errors.count)
    for (index, limit) in ErrorCounts.limits.enumerated() {
      let expected = present.count { $0 < limit }
      #expect(found.below[index] == expected, "\(limit)")
    }
  }

  private func pow10(_ exponent: Double) -> Double {
    var value = 1.0
    // Exactness does not matter, spread does.
    for _ in 0..<Int(abs(exponent) * 20) { value *= exponent < 0 ? 0.891_250_938 : 1.122_018_454 }
    return value
  }

  @Test("a missing prediction is below no limit; without predictions there is no share")
  func missing() throws {
    let counts = try #require(
      PassFixture([1, .nan, -1, 1.5], reference: [1, 1, 1, 1]).scores.errors)
    #expect(counts.share(0) == 0.25 && counts.share(40) == 0.5)
    #expect(PassFixture([.nan], reference: [1]).scores.errors == nil)
  }
}
