import Foundation
import Testing

@testable import FathomStatistics

@Suite("Distributions against scipy, to 1e-10 relative")
struct DistributionTests {
  private let golden = StatisticsGolden.shared

  @Test func normal() {
    for row in golden.normal_cdf { #expect(agree(NormalDistribution.cumulative(row[0]), row[1]), "\(row)") }
    for row in golden.normal_ppf {
      let value = NormalDistribution.quantile(row[0])
      #expect(abs(value - row[1]) <= 1e-10 * max(1, abs(row[1])), "\(row)")
    }
    #expect(NormalDistribution.quantile(0) == -.infinity && NormalDistribution.quantile(1) == .infinity)
    #expect(NormalDistribution.quantile(0.5) == 0)
  }

  @Test func chiSquared() {
    for row in golden.chi2_sf {
      #expect(agree(TailProbabilities.chiSquared(row[0], freedom: row[1]), row[2]), "\(row)")
    }
    #expect(TailProbabilities.chiSquared(0, freedom: 3) == 1)
  }

  @Test func fisherF() {
    for row in golden.f_sf {
      #expect(agree(TailProbabilities.fisherF(row[0], row[1], row[2]), row[3]), "\(row)")
    }
    #expect(TailProbabilities.fisherF(.infinity, 3, 4) == 0)
  }

  @Test func studentizedRange() {
    for row in golden.studentized_range_sf {
      // scipy subtracts from 1, so its own tail is right to some 1e-16 only.
      let value = StudentizedRange.tail(row[0], groups: Int(row[1]))
      #expect(abs(value - row[2]) <= 1e-10 * row[2] + 1e-15, "\(row)")
    }
    for row in golden.studentized_range_isf {
      #expect(agree(StudentizedRange.upperQuantile(row[0], groups: Int(row[1])), row[2]), "\(row)")
    }
    #expect(StudentizedRange.tail(0, groups: 4) == 1 && StudentizedRange.tail(1000, groups: 4) == 0)
  }
}

@Suite("Tests against scipy and statsmodels")
struct HypothesisTests {
  @Test("Wilcoxon with ties and zeros", arguments: StatisticsGolden.shared.wilcoxon)
  func wilcoxon(_ c: StatisticsGolden.SignedRank) {
    let test = SignedRank(c.differences)
    #expect(agree(test.pValue, c.p), "\(test.pValue) instead of \(c.p)")
    #expect(test.isExact == (c.differences.count <= 25))
    #expect(SignedRank(c.differences.map { -$0 }).pValue == test.pValue)
    #expect(SignedRank(c.differences.reversed()).pValue == test.pValue)
    #expect(test.pValue >= test.smallestAttainable)
  }

  @Test("the smallest attainable p is reached by one sign")
  func attainable() {
    for count in 1...12 {
      let test = SignedRank((1...count).map(Double.init) + [0, 0])
      #expect(test.pValue == pow(2, 1 - Double(count)) && test.pValue == test.smallestAttainable)
    }
  }

  @Test func holm() {
    for c in StatisticsGolden.shared.holm {
      let adjusted = HolmAdjustment.adjusted(c.p)
      for (value, expected) in zip(adjusted, c.adjusted) { #expect(agree(value ?? .nan, expected)) }
    }
    #expect(HolmAdjustment.adjusted([nil, 0.02, nil, 0.03]) == [nil, 0.04, nil, 0.04])
    #expect(HolmAdjustment.adjusted([nil]) == [nil] && HolmAdjustment.adjusted([]) == [])
  }

  @Test func friedmanAndNemenyi() {
    for c in StatisticsGolden.shared.friedman {
      let test = Friedman(errors: c.errors)
      for (rank, expected) in zip(test.meanRanks, c.mean_ranks) { #expect(agree(rank, expected)) }
      #expect(agree(test.chiSquared, c.chi2) && agree(test.pValue, c.p))
      #expect(agree(test.imanDavenportF, c.f) && agree(test.imanDavenportP, c.f_p))
      #expect(agree(test.criticalDifference(), c.critical_difference))
      #expect(agree(test.nemenyiP(0, c.mean_ranks.count - 1), c.nemenyi_first_last))
    }
    let tied = Friedman(errors: Array(repeating: [1, 1, 1], count: 6))
    #expect(tied.chiSquared == 0 && tied.pValue == 1 && tied.meanRanks == [2, 2, 2])
    let agreed = Friedman(errors: Array(repeating: [1, 2, 3], count: 6))
    #expect(agreed.imanDavenportF == .infinity && agreed.imanDavenportP == 0)
  }
}
