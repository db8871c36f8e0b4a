import DepthCore

/// Lines through two observations, the candidates of sampled estimators.
enum MinimalLines {
  /// The line through two observations; nil where their regressors coincide.
  static func line(_ problem: FitProblem, through i: Int, _ j: Int) -> Line? {
    let run = problem.x[j] - problem.x[i]
    guard run != 0 else { return nil }
    let scale = (problem.y[j] - problem.y[i]) / run
    guard scale.isFinite else { return nil }
    return Line(scale: scale, shift: problem.y[i] - scale * problem.x[i])
  }

  /// The line through two observations drawn at random.
  /// - Precondition: at least two observations.
  static func random(_ problem: FitProblem, using generator: inout SplitMix64) -> Line? {
    let i = Int.random(in: 0..<problem.count, using: &generator)
    var j = Int.random(in: 0..<(problem.count - 1), using: &generator)
    if j >= i { j += 1 }
    return line(problem, through: i, j)
  }

  /// Every such line where there are at most `limit`, which makes a small problem exact; else `limit` random ones.
  static func candidates(_ problem: FitProblem, limit: Int, using generator: inout SplitMix64) -> [Line] {
    let count = problem.count
    guard count >= 2 else { return [] }
    guard count * (count - 1) / 2 <= limit
    else { return (0..<limit).compactMap { _ in random(problem, using: &generator) } }
    return (0..<count).flatMap { i in (i + 1..<max(count, i + 1)).compactMap { line(problem, through: i, $0) }
    }
  }
}
