import DepthFusion

/// What a protocol does to a prediction before it is scored: fits it to the truth, limits it.
struct PredictionAdjustment {
  /// What is scored of a prediction, metres; NaN where it is missing.
  struct Adjusted {
    var raster: [Double]
    /// nil where nothing was fitted.
    var fit: AlignmentFit?
  }

  private let step: AlignmentStep?, unit: Prediction.Unit, rules: EvaluationProtocol
  /// Lines of the scene by method, and whose prediction this is; nil where it is fitted by itself.
  private let ofScene: (fits: [String: AlignmentFit], method: String)?

  init(
    _ rules: EvaluationProtocol, of unit: Prediction.Unit,
    ofScene: (fits: [String: AlignmentFit], method: String)? = nil
  ) {
    (step, self.unit, self.rules) = (rules.alignment.step(for: unit), unit, rules)
    self.ofScene = ofScene
  }

  var isIdentity: Bool { step == nil && rules.clip == .none && unit == .metres }  // Whether nothing is done.

  /// - Parameter raster: The prediction at every pixel, in its unit; missing where it is not finite, or not positive where that
  ///   has no meaning.
  /// - Parameter pixels: Which of them count, and their true depth.
  /// - Returns: nil where the alignment is not determined, or none is given to a map without a unit: the prediction has no
  ///   value under this protocol.
  func apply(to raster: [Double], at pixels: TruthPixels) -> Adjusted? {
    guard !isIdentity else { return Adjusted(raster: raster) }
    guard let step else {
      guard unit == .metres else { return nil }
      return Adjusted(raster: map(raster, nil, limits(pixels)))
    }
    guard let fit = ofScene.map({ $0.fits[$0.method] }) ?? fit(step, raster, pixels) else { return nil }
    return Adjusted(raster: map(raster, fit.line, limits(pixels)), fit: fit)
  }

  private func fit(_ step: AlignmentStep, _ raster: [Double], _ pixels: TruthPixels) -> AlignmentFit? {
    let sums = AlignmentSums(step, raster, at: pixels)
    return sums.line.map { AlignmentFit(line: $0, space: step.space, pairs: sums.count) }
  }

  /// - Parameter line: Of the alignment; nil where there is none.
  func map(_ raster: [Double], _ line: Line?, _ limits: [ClosedRange<Double>]) -> [Double] {
    raster.map { number in
      var value = number
      if let step, let line {
        let x = step.regressor(number)
        guard x.isFinite else { return .nan }
        // A fitted disparity of 0 or less is infinitely far, so it takes the clip's largest depth.
        value = step.depth(x, by: line)
      } else if !(number > 0 && number.isFinite) {
        return .nan
      }
      for limits in limits { value = min(max(value, limits.lowerBound), limits.upperBound) }
      return value
    }
  }

  /// In the order in which they act.
  func limits(_ pixels: TruthPixels) -> [ClosedRange<Double>] {
    var limits: [ClosedRange<Double>] = []
    if step?.isLimited == true, let far = rules.maxDepth ?? pixels.reference.max(), far >= rules.minDepth {
      limits.append(rules.minDepth...far)
    }
    switch rules.clip {
    case .none: break
    case .range(let low, let high): limits.append(low...high)
    case .farthestTruth: if let far = pixels.reference.max() { limits.append(0...far) }
    }
    return limits
  }
}
