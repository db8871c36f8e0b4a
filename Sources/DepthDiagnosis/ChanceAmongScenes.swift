import FathomStatistics

extension [[Finding]] {
  /// The findings of a file's scenes without the contradictions that chance explains: of hundreds of right scenes, each with
  /// many tests, a few show three standard errors.
  ///
  /// A contradiction stands where hardly one of a thousand right files with so many scenes and tests would show it: by its own
  /// standard errors, or by the number of scenes that support the same; and where it needs no statistics.
  public var withoutChance: [[Finding]] {
    let contradictions = joined().filter { $0.verdict == .contradicted }
    let tests = Set(joined().filter { $0.margin != nil }.map(\.test)).count
    // A scene has one finding of a test, or one for each of its networks under a name of its own.
    let counts = Dictionary(grouping: contradictions) { [$0.test, $0.supported] }.mapValues(\.count)
    let likely = map { findings in
      findings.map { finding in
        finding.isByChance(counts[[finding.test, finding.supported]] ?? 0, of: count, tests: tests)
          ? finding.undecidedByChance(among: count) : finding
      }
    }
    return likely.withOneOrientation
  }
}

extension Finding {
  /// Of a right file, that some test of some scene contradicts a convention.
  private static let chance = 0.001

  /// - Parameter alike: Scenes that contradict the same, and support the same.
  /// - Parameter tests: Of each scene that count standard errors.
  fileprivate func isByChance(_ alike: Int, of scenes: Int, tests: Int) -> Bool {
    guard verdict == .contradicted, let margin, !isCertain, scenes > 1 else { return false }
    let chance = Self.chance / Double(tests)
    guard margin < -NormalDistribution.quantile(chance / Double(scenes)) else { return false }
    // A scene contradicts from three standard errors on.
    let share = NormalDistribution.cumulative(-Evidence.rejection)
    return Self.tail(alike, of: scenes, share) > chance
  }

  /// Probability that at least `count` of `all` have what each has with a probability of `share`.
  private static func tail(_ count: Int, of all: Int, _ share: Double) -> Double {
    var (term, below) = (1.0, 0.0)
    for _ in 0..<all { term *= 1 - share }
    for k in 0..<count {
      below += term
      term *= Double(all - k) / Double(k + 1) * share / (1 - share)
    }
    return 1 - below
  }

  fileprivate func undecidedByChance(among scenes: Int) -> Finding {
    let sigma = margin.map { "\(($0 * 10).rounded() / 10) standard errors" } ?? "little"
    return undecided(
      "'\(supported ?? "")' fits better than '\(declared ?? "")' by \(sigma), which one of \(scenes) right scenes shows by chance"
    )
  }
}
