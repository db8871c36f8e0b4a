import DepthCore
import DepthFusion

/// What a fit to the truth is made from: the pixels of one frame, or of all frames of a scene.
struct AlignmentSums: Sendable {
  /// Pixels of a scene that a fit takes at most where sums do not do: 64 megabytes.
  static let mostPairs = 1 << 22
  private let step: AlignmentStep
  /// Regressors and truth in the space of the fit; of a scene only where sums do not do.
  private var x: [Double] = [], y: [Double] = []
  private var moments = LeastSquaresLine.Moments()
  private(set) var count = 0

  /// - Parameter raster: The prediction at every pixel, in its unit.
  /// - Parameter pixels: Which of them count, and their true depth.
  init(_ step: AlignmentStep, _ raster: [Double], at pixels: TruthPixels) {
    self.step = step
    x.reserveCapacity(pixels.indices.count)
    y.reserveCapacity(pixels.indices.count)
    for (index, truth) in zip(pixels.indices, pixels.reference) {
      let regressor = step.regressor(raster[Int(index)])
      guard step.isFitted(regressor) else { continue }
      x.append(regressor)
      y.append(step.space.target(depth: truth))
    }
    count = x.count
  }

  private var problem: FitProblem { FitProblem(space: step.space, x: x, y: y) }

  /// The line of these pixels alone; nil where they determine none.
  var line: Line? {
    guard count > 0 else { return nil }
    if let line = lineOfPairs { return line }
    guard !needsPairs else { return nil }
    if step.hasShift {
      var generator = SplitMix64(seed: 0)
      return try? Estimator.ols.fit(problem, FusionOptions(), &generator).line
    }
    return scale(LeastSquaresLine.Moments(problem, weights: nil))
  }

  // MARK: - Over a scene

  /// Adds those of the next frame.
  /// - Parameter frames: Of the scene, which bounds what is kept of each.
  mutating func merge(_ next: AlignmentSums, of frames: Int) {
    if needsPairs {
      let kept = next.problem.thinned(to: max(1, Self.mostPairs / max(1, frames)))
      x += kept.x
      y += kept.y
      count += kept.count
    } else if next.count > 0 {
      moments.merge(LeastSquaresLine.Moments(next.problem, weights: nil))
      count += next.count
    }
  }

  /// Nothing yet, for ``merge(_:of:)``.
  init(_ step: AlignmentStep) { self.step = step }

  /// The line of all frames that were added; nil where they determine none.
  var lineOfScene: Line? {
    guard count > 0 else { return nil }
    if needsPairs { return lineOfPairs }
    guard step.hasShift else { return scale(moments) }
    guard count > 1, (try? moments.determinedDesign()) != nil else { return nil }
    return moments.line
  }

  // MARK: - Estimates

  private var needsPairs: Bool { step.isMedian || step.loss == .absolute }

  /// Of least squares without a slope of its own: Σxy/Σx², or the mean difference of logarithms.
  private func scale(_ moments: LeastSquaresLine.Moments) -> Line? {
    if step.space == .log { return Line(scale: 1, shift: moments.meanY - moments.meanX) }
    let squares = moments.xx + moments.weight * moments.meanX * moments.meanX
    let products = moments.xy + moments.weight * moments.meanX * moments.meanY
    return Self.usable(Line(scale: products / squares, shift: 0))
  }

  /// Of medians and absolute errors; nil where the alignment takes squares, or there is no line.
  private var lineOfPairs: Line? {
    guard needsPairs else { return nil }
    if step.isMedian {
      guard let mine = OrderStatistics.median(of: x), let truth = OrderStatistics.median(of: y) else {
        return nil
      }
      return Self.usable(Line(scale: truth / mine, shift: 0))
    }
    // In depth an error counts as a share of the truth.
    let weights = step.space == .depth ? y.map { 1 / $0 } : nil
    if step.hasShift {
      return try? LeastAbsoluteDeviations.line(FitProblem(space: step.space, x: x, y: y, weights: weights))
    }
    if step.space == .log {
      return OrderStatistics.median(of: zip(x, y).map { $1 - $0 }).map { Line(scale: 1, shift: $0) }
    }
    // Σ w|y − αx| = Σ w|x|·|y/x − α|
    let pulls = x.indices.map { (weights?[$0] ?? 1) * abs(x[$0]) }
    let scale = OrderStatistics.median(of: x.indices.map { x[$0] == 0 ? 0 : y[$0] / x[$0] }, weights: pulls)
    return scale.flatMap { Self.usable(Line(scale: $0, shift: 0)) }
  }

  private static func usable(_ line: Line) -> Line? { line.scale.isFinite && line.scale != 0 ? line : nil }
}
