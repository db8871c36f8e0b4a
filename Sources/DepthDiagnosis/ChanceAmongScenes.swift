import Statistics

extension [[Finding]] {
  /// The findings of a file's scenes without the contradictions that chance explains: among hundreds of right scenes a few
  /// show three standard errors.
  ///
  /// A contradiction stands where its scene alone would show it in hardly one of a hundred files with so many scenes, where as
  /// many scenes as hardly one of a hundred files has support the same, or where it needs no statistics.
  public var withoutChance: [[Finding]] {
    map { findings in findings.map { $0.isByChance(among: self) ? $0.undecidedByChance(among: count) : $0 } }
  }
}

extension Finding {
  /// Of a right file, that some scene contradicts a convention.
  private static let chance = 0.01

  fileprivate func isByChance(among scenes: [[Finding]]) -> Bool {
    guard verdict == .contradicted, let margin, !isCertain, scenes.count > 1 else { return false }
    guard margin < -NormalDistribution.quantile(Self.chance / Double(scenes.count)) else { return false }
    let alike = scenes.count { findings in
      findings.contains { $0.test == test && $0.verdict == verdict && $0.supported == supported }
    }
    // A scene contradicts from three standard errors on.
    let share = NormalDistribution.cumulative(-Evidence.rejection)
    return Self.tail(alike, of: scenes.count, share) > Self.chance
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
