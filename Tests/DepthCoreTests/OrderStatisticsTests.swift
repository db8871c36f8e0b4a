import Testing

@testable import DepthCore

@Suite("Order statistics")
struct OrderStatisticsTests {
  @Test(
    "agrees with sorting, whatever the size, sign and ties", arguments: [1, 2, 3, 255, 256, 257, 1000, 5001])
  func quantiles(_ count: Int) {
    var generator = SplitMix64(seed: UInt64(count))
    for kind in 0..<4 {
      let values: [Double] = (0..<count).map { _ in
        switch kind {
        case 0: Double.random(in: -1...1, using: &generator)
        case 1: Double.random(in: 1000...1000.001, using: &generator)
        case 2: Double(Int.random(in: -3...3, using: &generator))
        default: 7
        }
      }
      let sorted = values.sorted()
      for q in [0, 0.1, 0.25, 0.5, 0.9, 0.95, 0.999, 1] {
        let position = q * Double(count - 1)
        let low = Int(position)
        let expected =
          sorted[low] + (sorted[min(low + 1, count - 1)] - sorted[low]) * (position - Double(low))
        #expect(OrderStatistics.quantile(q, of: values) == expected)
      }
      for smallest in [0, 1, count / 3, count - 1, count] {
        let sum = OrderStatistics.sum(ofSmallest: smallest, of: values)
        let expected = sorted[..<smallest].reduce(0, +)
        // Added in another order.
        #expect(abs(sum - expected) <= 1e-12 * Double(count) * (abs(sorted[0]) + abs(sorted[count - 1])))
      }
    }
  }

  @Test("what lies in an interval, in its order, with zeros, infinities and no whole vector at the end")
  func interval() {
    var generator = SplitMix64(seed: 7)
    for count in 0..<40 {
      let values: [Double] = (0..<count).map { index in
        index % 7 == 6 ? [-0.0, .infinity, -.infinity][index % 3] : .random(in: -1...1, using: &generator)
      }
      for (low, high) in [(-0.5, 0.25), (0, 0), (-.infinity, 0.1), (2, 3)] {
        let found = OrderStatistics.values(of: values, from: low, to: high)
        #expect(found == values.filter { $0 >= low && $0 <= high })
      }
    }
  }

  @Test func none() { #expect(OrderStatistics.median(of: []) == nil) }

  @Test func medianOfFour() { #expect(OrderStatistics.median(of: [4, 1, 3, 2]) == 2.5) }

  @Test func deviations() {
    #expect(OrderStatistics.medianAbsolute([-3, 1, 2]) == 2)
    #expect(OrderStatistics.medianAbsoluteDeviation([1, 2, 4, 8, 16]) == 3)
  }

  @Test(
    "the order by digits is that by comparisons, of both signs, with ties and infinities",
    arguments: [0, 1, 2, 700, 5000])
  func radixOrder(_ count: Int) {
    var generator = SplitMix64(seed: UInt64(count))
    let values: [Double] = (0..<count).map { index in
      switch index % 5 {
      case 0: Double.random(in: -1...1, using: &generator)
      case 1: Double(Float.random(in: 0...10, using: &generator))
      case 2: Double(Int.random(in: -3...3, using: &generator))
      case 3: index % 2 == 0 ? -0.0 : 0
      default: index % 35 == 4 ? .infinity : (index % 35 == 9 ? -.infinity : 2e-308)
      }
    }
    // Swift's sort is stable.
    #expect(RadixOrder.positions(values) == values.indices.sorted { values[$0] < values[$1] })
  }

  @Test("Spearman's ρ with ties; 0.8 by hand, −1 reversed")
  func spearman() throws {
    #expect(RankCorrelation.spearman([1, 2, 3, 4], [1, 2, 4, 3]) == 0.8)
    #expect(RankCorrelation.spearman([1, 2, 3], [9, 4, 1]) == -1)
    #expect(RankCorrelation.ranks(of: [5, 1, 5, 2]) == [3.5, 1, 3.5, 2])
    // By hand: Σab = 4, Σaa = Σbb = 4.5.
    let tied = try #require(RankCorrelation.spearman([1, 1, 2, 3], [2, 1, 3, 3]))
    #expect(abs(tied - 8.0 / 9) < 1e-15)
    #expect(RankCorrelation.spearman([1, 1], [1, 2]) == nil)
    #expect(RankCorrelation.spearman([1], [1]) == nil)
  }
}
