import Foundation
import FathomTestSupport
import Testing

/// Answers of scipy and statsmodels, written by Tests/CrossCheck/make_statistics_golden.py.
struct StatisticsGolden: Decodable, Sendable {
  struct SignedRank: Decodable, Sendable, CustomTestStringConvertibleByName {
    let name: String
    let differences: [Double]
    let p: Double
  }
  struct Interval: Decodable, Sendable, CustomTestStringConvertibleByName {
    let name: String
    let scenes: [String], values: [Double], interval: [Double]
    /// Of a root of a ratio; nil for a mean.
    let weights: [Double]?
    /// nil for an end without a limit.
    let possible: [Double?]
    let seed: UInt64
  }
  struct Friedman: Decodable, Sendable {
    let errors: [[Double]], mean_ranks: [Double]
    let chi2: Double, p: Double, f: Double, f_p: Double
    let critical_difference: Double, nemenyi_first_last: Double
  }
  struct Holm: Decodable, Sendable {
    let p: [Double], adjusted: [Double]
  }
  struct Components: Decodable, Sendable {
    let values: [[Double]], components: [Double]
  }

  let normal_cdf: [[Double]], normal_ppf: [[Double]], chi2_sf: [[Double]], f_sf: [[Double]]
  let studentized_range_sf: [[Double]], studentized_range_isf: [[Double]]
  let wilcoxon: [SignedRank]
  let intervals: [Interval]
  let friedman: [Friedman]
  let holm: [Holm]
  let t_power: [[Double]], t_scenes: [[Double]], chi2_isf: [[Double]]
  let components: [Components]

  static let shared: StatisticsGolden = {
    let url = PackageFiles.root.appendingPathComponent("Tests/CrossCheck/golden/statistics.json")
    do {
      return try JSONDecoder().decode(StatisticsGolden.self, from: Data(contentsOf: url))
    } catch {
      preconditionFailure("the golden answers cannot be read: \(error)")
    }
  }()
}

/// Whether two numbers agree to 1e-10 of the larger.
func agree(_ value: Double, _ expected: Double, tolerance: Double = 1e-10) -> Bool {
  abs(value - expected) <= tolerance * max(abs(value), abs(expected)) + 1e-300
}
