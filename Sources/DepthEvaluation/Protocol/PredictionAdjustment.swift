import DepthCore
import DepthFusion

/// What a protocol does to a prediction before it is scored: fits it to the truth, limits it.
struct PredictionAdjustment {
  let alignment: TruthAlignment
  let clip: DepthClip

  init(_ rules: EvaluationProtocol) { (alignment, clip) = (rules.alignment, rules.clip) }

  /// Whether nothing is done.
  var isIdentity: Bool { alignment == .none && clip == .none }

  /// - Parameters:
  ///   - raster: The prediction at every pixel, metres; missing where it is not finite or not positive.
  ///   - pixels: Which of them count, and their true depth.
  /// - Returns: The adjusted raster, NaN where the prediction is missing; nil where the alignment is not determined,
  ///   so that the prediction has no value under this protocol.
  func apply(to raster: [Double], at pixels: TruthPixels) -> [Double]? {
    guard !isIdentity else { return raster }
    let line = alignment.space.flatMap { Self.fit(raster, pixels, $0) }
    guard alignment == .none || line != nil else { return nil }
    let limits = limits(pixels)
    return raster.map { depth in
      guard depth > 0 && depth.isFinite else { return .nan }
      var value = depth
      if let line, let space = alignment.space {
        // A fitted disparity of 0 or less is infinitely far: as far as the clip allows.
        value = space.depth(fitted: line.scale * space.target(depth: depth) + line.shift)
      }
      if let limits { value = min(max(value, limits.lowerBound), limits.upperBound) }
      return value
    }
  }

  private func limits(_ pixels: TruthPixels) -> ClosedRange<Double>? {
    switch clip {
    case .none: nil
    case .range(let low, let high): low...high
    case .farthestTruth: pixels.reference.max().map { 0...$0 }
    }
  }

  private static func fit(_ raster: [Double], _ pixels: TruthPixels, _ space: Space) -> Line? {
    var (x, y) = ([Double](), [Double]())
    x.reserveCapacity(pixels.indices.count)
    y.reserveCapacity(pixels.indices.count)
    for (index, truth) in zip(pixels.indices, pixels.reference) {
      let depth = raster[Int(index)]
      guard depth > 0 && depth.isFinite else { continue }
      x.append(space.target(depth: depth))
      y.append(space.target(depth: truth))
    }
    var generator = SplitMix64(seed: 0)
    return try? Estimator.ols.fit(FitProblem(space: space, x: x, y: y), FusionOptions(), &generator).line
  }
}
