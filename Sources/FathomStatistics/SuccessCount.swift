/// How many of a number of independent trials succeeded, with exact inference about the share.
/// - SeeAlso: Clopper & Pearson 1934 (interval); Conover 1999, Practical Nonparametric Statistics, §3.4 (sign test).
public struct SuccessCount: Sendable, Equatable {
  public let successes: Int, trials: Int

  /// - Precondition: 0 ≤ successes ≤ trials.
  public init(_ successes: Int, of trials: Int) {
    precondition(successes >= 0 && successes <= trials, "successes are a part of the trials")
    (self.successes, self.trials) = (successes, trials)
  }

  /// nil for no trials.
  public var share: Double? { trials > 0 ? Double(successes) / Double(trials) : nil }

  /// The 95 % interval of Clopper and Pearson; never too narrow. nil for no trials.
  public var interval: (low: Double, high: Double)? {
    guard trials > 0 else { return nil }
    let tail = 0.025
    let low = successes == 0 ? 0 : Self.root { atLeast(successes, $0) - tail }
    let high = successes == trials ? 1 : Self.root { tail - (1 - atLeast(successes + 1, $0)) }
    return (low, high)
  }

  /// Two-sided p of the exact sign test: success as likely as failure. 1 for no trials.
  public var signTest: Double {
    guard trials > 0 else { return 1 }
    return min(1, 2 * atLeast(max(successes, trials - successes), 0.5))
  }

  /// P(X ≥ k) for a share p.
  private func atLeast(_ k: Int, _ p: Double) -> Double {
    k <= 0 ? 1 : TailProbabilities.regularizedBeta(p, Double(k), Double(trials - k + 1))
  }

  /// Where a growing function of 0…1 crosses zero.
  private static func root(_ function: (Double) -> Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if function(middle) < 0 { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
