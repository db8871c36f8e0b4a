import DepthCore
import Foundation

extension Estimator {
  /// Least trimmed squares, then least squares without its outliers.
  public static let trimmed = Estimator(
    id: "trimmed", title: "least trimmed squares",
    source: "Rousseeuw & Van Driessen 2006 (FAST-LTS): 2-point starts, C-steps, reweighted least squares"
  ) { problem, options, generator throws(FitError) in
    try LeastTrimmedSquares(keptShare: options.keptShare, trials: options.maxTrials)
      .fit(problem, using: &generator)
  }
}

/// The line of least Σ e² over the share of observations that it fits best.
///
/// A C-step replaces a line by the least-squares line of those nearest to it, which never raises that sum. Two
/// on each start and all of them on the best ten, on anchors; then on all observations. The result is least
/// squares on |e| ≤ 2.5·σ̂, σ̂ from the kept residuals, made consistent at the normal distribution.
struct LeastTrimmedSquares {
  /// Share of the weight that is kept, 0.5…1.
  let keptShare: Double
  /// Most random starts.
  let trials: Int
  /// Observations of the search.
  static let anchorLimit = 1024
  /// Most random starts, and how many are carried on: at 45 % outliers all of 300 are contaminated with a
  /// probability of 1e-47.
  static let startLimit = 300, finalists = 10
  /// Residuals beyond this many σ̂ are excluded from the final fit.
  static let cutoff = 2.5
  /// C-steps after which the last line is taken; a handful suffices.
  static let stepLimit = 50

  private struct Candidate {
    var line: Line
    /// Σ w·e² of the kept.
    var objective: Double
  }

  func fit(_ problem: FitProblem, using generator: inout SplitMix64) throws(FitError) -> LineFit {
    let design = try problem.design(), anchors = problem.anchors(Self.anchorLimit)
    let isComplete = anchors.count * (anchors.count - 1) / 2 <= trials
    let starts = MinimalLines.candidates(
      anchors, limit: isComplete ? trials : min(trials, Self.startLimit), using: &generator)
    var candidates = starts.compactMap { start -> Candidate? in
      guard let once = step(anchors, from: start) else { return nil }
      return step(anchors, from: once.line)
    }
    candidates.sort { $0.objective < $1.objective }
    var best: Candidate?
    for candidate in candidates.prefix(Self.finalists) {
      let settled = settle(anchors, from: candidate)
      if settled.objective < best?.objective ?? .infinity { best = settled }
    }
    guard let found = best, let first = step(problem, from: found.line) else { throw .degenerate(design) }
    let line = settle(problem, from: first).line
    let limit = max(Self.cutoff * scale(problem, line), 1e-12 * problem.magnitude)
    var fit = try LeastSquaresLine.solve(problem, within: limit, of: line)
    fit.iterations = starts.count
    return fit
  }

  /// C-steps until the sum stays.
  private func settle(_ problem: FitProblem, from start: Candidate) -> Candidate {
    var best = start
    for _ in 0..<Self.stepLimit {
      guard let next = step(problem, from: best.line), next.objective < best.objective * (1 - 1e-12)
      else { break }
      best = next
    }
    return best
  }

  /// The least-squares line of the observations nearest to `line`, with the sum that `line` has over them.
  private func step(_ problem: FitProblem, from line: Line) -> Candidate? {
    let residuals = problem.residuals(of: line)
    let (weights, objective) = kept(residuals, problem.weights)
    let moments = LeastSquaresLine.Moments(problem, weights: weights)
    guard moments.line.scale.isFinite, moments.line.shift.isFinite else { return nil }
    return Candidate(line: moments.line, objective: objective)
  }

  /// Weights of the kept share, 0 for the others, and Σ w·e² over it. Of the residual on the border as much is
  /// kept as completes the share.
  private func kept(_ residuals: [Double], _ weights: [Double]?) -> (weights: [Double], objective: Double) {
    let total = weights?.reduce(0, +) ?? Double(residuals.count)
    // At least ⌊(n + 3)/2⌋ of n, the most robust choice for a line, each at its mean weight.
    let count = Double(residuals.count)
    let number = min(count, max(count * keptShare, ((count + 3) / 2).rounded(.down)))
    let wanted = number * total / count
    var sizes = residuals.map { abs($0) }
    let border: Double
    if let weights {
      border = OrderStatistics.lowerQuantile(wanted / total, of: sizes, weights: weights)
    } else {
      border = OrderStatistics.select(Int(number.rounded(.up)) - 1, in: &sizes)
    }
    var result = [Double](repeating: 0, count: residuals.count)
    var (inside, onBorder, objective) = (0.0, 0.0, 0.0)
    for i in residuals.indices {
      let (size, weight) = (abs(residuals[i]), weights?[i] ?? 1)
      guard size <= border else { continue }
      result[i] = weight
      objective += weight * size * size
      if size == border { onBorder += weight } else { inside += weight }
    }
    let share = onBorder > 0 ? min(1, max(0, (wanted - inside) / onBorder)) : 1
    if share < 1 {
      for i in residuals.indices where abs(residuals[i]) == border { result[i] *= share }
      objective -= (1 - share) * onBorder * border * border
    }
    return (result, objective)
  }

  /// Root mean square of the kept residuals over that of a standard normal trimmed alike.
  private func scale(_ problem: FitProblem, _ line: Line) -> Double {
    let (weights, objective) = kept(problem.residuals(of: line), problem.weights)
    let total = problem.weights?.reduce(0, +) ?? Double(problem.count)
    let share = weights.reduce(0, +) / total
    guard share < 1 else { return (objective / total).squareRoot() }
    let border = Self.normalBorder(of: share)
    let density = exp(-border * border / 2) / (2 * Double.pi).squareRoot()
    let variance = 1 - 2 * border * density / share
    return (objective / (share * total) / variance).squareRoot()
  }

  /// q with P(|z| ≤ q) = share for a standard normal z, by bisection.
  private static func normalBorder(of share: Double) -> Double {
    var (low, high) = (0.0, 40.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if erf(middle / 2.0.squareRoot()) < share { low = middle } else { high = middle }
    }
    return low
  }
}
