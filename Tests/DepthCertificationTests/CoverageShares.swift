import FathomStatistics
import Foundation

@testable import DepthCertification

/// What is stated of a simulated sensor, and what is true.
struct CertifiedOutcome {
  let scale: WallTest.Quantity, range: WallTest.Quantity
  let trueScale: Double, trueRange: Double
}

/// How often simulated sensors are within what is stated of them.
struct CoverageShares {
  let scale: Double, range: Double
  /// Acceptances with a limit at the true error: every one is false, and at most as likely as the guard band allows.
  let wrong: Double

  /// Prints the shares too.
  /// - Parameter usual: Sensors, where FATHOM_SENSORS does not say how many.
  init(_ usual: Int, of noun: String, outcome: (Int) throws -> CertifiedOutcome) rethrows {
    let count = ProcessInfo.processInfo.environment["FATHOM_SENSORS"].flatMap(Int.init) ?? usual
    let outcomes = try (0..<count).map(outcome)
    func share(_ holds: (CertifiedOutcome) -> Bool) -> Double {
      Double(outcomes.count(where: holds)) / Double(count)
    }
    func covers(_ stated: WallTest.Quantity, _ truth: Double) -> Bool {
      abs(stated.value - truth) <= stated.budget.expanded
    }
    scale = share { covers($0.scale, $0.trueScale) }
    range = share { covers($0.range, $0.trueRange) }
    wrong = share {
      ConformityDecision($0.range.value, limit: abs($0.trueRange), $0.range.budget).outcome == .conforms
    }
    print("\(count) \(noun): scale \(scale), range \(range), false acceptance at the limit \(wrong)")
  }
}
