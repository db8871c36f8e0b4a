import DepthCore
import DepthFusion
import Foundation

/// Pairs as a phone and a network give them: a few surfaces, noise that grows with range, a relative map that is
/// only roughly affine, and a share of returns from somewhere else.
struct SyntheticPairs {
  var relative: [Double] = []
  /// LiDAR depth, metres.
  var measured: [Double] = []
  /// True depth, metres.
  var truth: [Double] = []

  /// - Parameters:
  ///   - outliers: Share of pairs whose LiDAR depth belongs to another surface (mixed pixels, reflections).
  ///   - form: The form in which the relative map is a line, up to its errors of 2 %.
  init(_ count: Int, outliers: Double, form: Space, seed: UInt64) {
    var generator = SplitMix64(seed: seed, stream: "pairs", form.rawValue)
    var mixed = SplitMix64(seed: seed, stream: "outliers", form.rawValue)
    func normal() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
    }
    // Walls, floor and furniture: where each begins, how deep it reaches, how far the network is off on it.
    let surfaces = (0..<6).map { _ in
      (
        near: Double.random(in: 0.6...3, using: &generator),
        depth: Double.random(in: 0.1...0.9, using: &generator),
        bias: 0.015 * normal()
      )
    }
    for index in 0..<count {
      let surface = surfaces[index % surfaces.count]
      let depth = surface.near + surface.depth * Double.random(in: 0...1, using: &generator)
      let seen = depth * (1 + surface.bias + 0.02 * normal())
      let lidar = depth + (0.003 + 0.004 * depth) * normal()
      let isOutlier = Double.random(in: 0..<1, using: &mixed) < outliers
      let elsewhere = Double.random(in: 0.3...3.9, using: &mixed)
      truth.append(depth)
      measured.append(isOutlier ? elsewhere : lidar)
      let target = form.target(depth: seen)
      relative.append(
        form == .log ? exp((target - 0.2) / 1.3) : (target - Self.shift(form)) / Self.scale(form))
    }
  }

  private static func scale(_ form: Space) -> Double { form == .depth ? 2.5 : 0.9 }
  private static func shift(_ form: Space) -> Double { form == .depth ? 0.3 : 0.12 }

  /// The problem in a form.
  func problem(_ form: Space, weights: [Double]? = nil) -> FitProblem {
    FitProblem(
      space: form, x: relative.map { form.regressor(relative: $0) },
      y: measured.map { form.target(depth: $0) },
      weights: weights)
  }

  /// Mean |d − g|/g of a line's depths.
  func absRel(of line: Line, in form: Space) -> Double {
    var sum = 0.0
    for (r, g) in zip(relative, truth) {
      let depth = form.depth(fitted: line.scale * form.regressor(relative: r) + line.shift)
      sum += abs(min(max(depth, 0.01), 100) - g) / g
    }
    return sum / Double(truth.count)
  }
}

extension FitProblem {
  /// The same observations in another order.
  func permuted(seed: UInt64) -> FitProblem {
    var generator = SplitMix64(seed: seed, stream: "permutation")
    return subset(Array(0..<count).shuffled(using: &generator))
  }

  /// Largest difference of two lines over the regressors, relative to the observations.
  func difference(_ a: Line, _ b: Line) -> Double {
    let largest = y.reduce(0) { max($0, abs($1)) }
    return x.reduce(0) { max($0, abs((a.scale - b.scale) * $1 + a.shift - b.shift)) } / largest
  }
}

extension Estimator {
  /// A fit with a stream of its own, and few trials: debug builds are slow.
  func line(
    _ problem: FitProblem, _ options: FusionOptions = FusionOptions(), seed: UInt64 = 1
  ) throws -> Line {
    var options = options
    options.maxTrials = 150
    var generator = SplitMix64(seed: seed)
    return try fit(problem, options, &generator).line
  }

  /// Those whose result depends on the order of the observations, because they draw from them.
  static let drawn: Set = ["ransac", "lo-ransac"]
  /// Those that outliers cannot move, and those that they can move a little.
  static let rejecting: Set = ["tukey", "truncated-l1", "lmeds", "trimmed", "ransac", "lo-ransac"]
  static let bounded: Set = ["huber", "lad"]
}

/// An estimator in a form, named in test output.
struct EstimatorCase: Sendable, CustomStringConvertible {
  let estimator: Estimator
  let form: Space

  var description: String { "\(estimator.id)@\(form.rawValue)" }

  static let all = Estimator.all.flatMap { estimator in
    Space.allCases.map { EstimatorCase(estimator: estimator, form: $0) }
  }
}

/// Whether the pairs have weights of their own.
enum Weighting: CaseIterable, Sendable {
  case none, varied

  /// nil, or one weight per pair of 0.1 to 2 that tells nothing of its error.
  func weights(_ count: Int, _ seed: UInt64) -> [Double]? {
    guard self == .varied else { return nil }
    var generator = SplitMix64(seed: seed, stream: "weights")
    return (0..<count).map { _ in Double.random(in: 0.1...2, using: &generator) }
  }

  /// Seeds that properties are tested with.
  var seeds: ClosedRange<UInt64> { self == .none ? 1...10 : 1...6 }

  /// Every weighting with every one of its seeds.
  static var each: [(Weighting, UInt64)] {
    allCases.flatMap { weighting in weighting.seeds.map { (weighting, $0) } }
  }
}
