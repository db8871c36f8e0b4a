import DepthCore
import DepthFusion

/// Scores predictions of one frame by the rules of one protocol. What depends on the frame alone is prepared once per
/// resolution at which prediction and truth meet.
struct FrameScorer {
  private let frame: DepthFrame, truth: DepthMap, rules: EvaluationProtocol
  private var prepared: [RasterSize: TruthPixels] = [:]
  /// Lines of the scene by method; nil where every frame is fitted by itself.
  private let sceneFits: [String: AlignmentFit]?
  /// The scene whose metrics of ``Metric/extended`` are wanted; nil for none.
  private let extended: SceneHeader?
  /// How far the truth may be off, where ``TruthMoments`` are wanted.
  private let truthDeviation: TruthDeviation?
  /// At ``size``.
  private lazy var blocks = TruthBlocks(frame, truth: map(at: size), protocol: rules)
  /// nil without a camera.
  private lazy var extendedTruth = (frame.intrinsics ?? extended?.intrinsics).map {
    ExtendedTruth(
      pixels(at: size), truth: map(at: size), camera: $0, baseline: extended?.stereoBaseline)
  }

  /// - Parameter extended: Whether ``Metric/extended`` are wanted.
  /// - Parameter moments: How far the truth may be off, where ``TruthMoments`` are.
  /// - Returns: nil where the frame has no truth.
  init?(
    _ frame: DepthFrame, _ rules: EvaluationProtocol, of scene: SceneContext? = nil, extended: Bool = false,
    moments: TruthDeviation? = nil
  ) {
    guard let truth = frame.truth else { return nil }
    (self.frame, self.truth, self.rules) = (frame, truth, rules)
    self.extended = extended ? scene?.header : nil
    truthDeviation = moments
    sceneFits = scene?.fits(under: rules)
  }

  var hasPixels: Bool { mutating get { blocks.count > 0 } }  // Whether any truth pixel counts.

  /// The resolution at which predictions and the truth meet.
  var size: RasterSize {
    switch rules.resampling {
    case .predictionAtTruth, .disparityAtTruth: truth.size
    // The network's raster for every method, so that all are compared with the same pixels.
    case .truthAtPrediction:
      frame.relative?.size ?? (frame.hasLidar ? frame.lidar : frame.predictions.first?.map ?? truth).size
    }
  }

  /// Whether predictions are read as disparities.
  var readsDisparity: Bool { rules.resampling == .disparityAtTruth }

  /// A prediction at every pixel where it meets the truth, in its unit. Of a map without a unit its own numbers are read.
  func raster(of prediction: Prediction) -> [Double] {
    guard readsDisparity, prediction.unit == .metres else {
      return TruthPixels.values(of: prediction, at: size)
    }
    return TruthPixels.values(of: prediction.inverted, at: size).map { $0 > 0 ? 1 / $0 : .nan }
  }

  /// All columns, breakdowns and pixel counts of predictions; nil for one to which the protocol gives no value.
  /// - Parameter methods: Ids of those who made them.
  /// - Parameter fusions: What made them: with standard deviations, in the unit of the prediction and at its size, or confidences.
  mutating func scores(
    of predictions: [Prediction], by methods: [String], fusions: [FusionResult]
  ) -> [PixelScores?] {
    guard hasPixels else { return predictions.map { _ in nil } }
    let sources = zip(predictions, methods).map { source($0, by: $1) }
    var scores = ScoringPass.scores(
      of: sources.compactMap { $0?.source }, at: blocks, countsPixels: rules.aggregation == .pooled,
      extended: extended != nil)
    return zip(predictions, zip(fusions, sources)).map { prediction, found in
      let (fusion, source) = found
      guard let source else { return nil }
      var scores = scores.removeFirst()
      scores.alignment = source.fit
      if let stated = fusion.deviation {
        scores.deviation = deviationScores(stated, source, of: prediction)
      } else if let stated = fusion.confidence {
        scores.deviation = confidenceScores(stated, source, of: prediction)
      }
      if let errors = scores.extended { scores.extended = add(to: errors, source.source, of: prediction) }
      if let truthDeviation {
        let map = frame.truthDeviation.map { $0.size == size ? $0 : $0.nearest(at: size) }
        scores.moments = TruthMoments(
          raster(of: prediction, source.source), at: pixels(at: size), map: map, truthDeviation)
      }
      return scores
    }
  }

  /// Adds what the pass did not find: the scale before any alignment, and what a camera tells.
  private mutating func add(
    to errors: ExtendedErrors, _ source: RowSampler.Source, of prediction: Prediction
  ) -> ExtendedErrors {
    var errors = errors
    guard errors.inverse != nil else { return errors }
    if case .raster = source, prediction.unit == .metres {
      errors.scale = ExtendedErrors.scale(raster(of: prediction), pixels(at: size))
    }
    if let extendedTruth { errors.look(at: raster(of: prediction, source), extendedTruth) }
    return errors
  }

  /// What is scored, at every pixel of the truth.
  private func raster(of prediction: Prediction, _ source: RowSampler.Source) -> [Double] {
    if case .raster(let raster) = source { raster } else { raster(of: prediction) }
  }

  /// - Parameter stated: Standard deviations in the unit of the prediction, at its size. Where the prediction is fitted to the truth,
  ///   they are multiplied by the derivative of the fit.
  private mutating func deviationScores(
    _ stated: DepthMap, _ source: (source: RowSampler.Source, fit: AlignmentFit?), of prediction: Prediction
  ) -> DeviationScores? {
    let found = statedErrors(stated, source, of: prediction)
    return DeviationScores(errors: found.errors, deviations: found.deviations, unusable: found.unusable)
  }

  /// - Parameter stated: Confidences at the prediction's size. They are read at the nearest pixel, so that levels stay levels.
  private mutating func confidenceScores(
    _ stated: DepthMap, _ source: (source: RowSampler.Source, fit: AlignmentFit?), of prediction: Prediction
  ) -> DeviationScores? {
    let (map, pixels) = (raster(of: prediction, source.source), pixels(at: size))
    var (errors, doubts, unusable) = ([Double](), [Double](), 0)
    for (index, truth) in zip(pixels.indices.lazy.map { Int($0) }, pixels.reference)
    where map[index] > 0 && map[index].isFinite {
      let own = stated.nearest(index / size.width, index % size.width, of: size)
      if own.isFinite {
        errors.append(map[index] - truth)
        doubts.append(-Double(own))
      } else {
        unusable += 1
      }
    }
    return DeviationScores(errors: errors, doubts: doubts, unusable: unusable)
  }

  private mutating func statedErrors(
    _ stated: DepthMap, _ source: (source: RowSampler.Source, fit: AlignmentFit?), of prediction: Prediction
  ) -> StatedErrors {
    let plain = raster(of: prediction)
    let aligned = if case .raster(let raster) = source.source { raster } else { plain }
    let own = TruthPixels.values(of: Prediction(depth: stated, sampling: prediction.sampling), at: size)
    let step = rules.alignment.step(for: prediction.unit)
    let pixels = pixels(at: size)
    var found = StatedErrors()
    for (index, truth) in zip(pixels.indices.lazy.map { Int($0) }, pixels.reference) {
      guard aligned[index] > 0, aligned[index].isFinite else { continue }
      var deviation = own[index]
      if let step, let line = source.fit?.line { deviation *= step.slope(plain[index], by: line) }
      guard deviation > 0, deviation.isFinite else {
        found.unusable += 1
        continue
      }
      found.errors.append(aligned[index] - truth)
      found.deviations.append(deviation)
      found.depths.append(aligned[index])
      found.levels.append(frame.confidence?.nearest(index / size.width, index % size.width, of: size) ?? 2)
    }
    return found
  }

  /// Errors of a metric map beside the standard deviations that it states; nil where the protocol gives it no value.
  mutating func statedErrors(of prediction: Prediction, _ stated: DepthMap, by method: String)
    -> StatedErrors?
  {
    guard hasPixels, let source = source(prediction, by: method) else { return nil }
    return statedErrors(stated, source, of: prediction)
  }

  /// What is scored of a prediction; nil where the protocol gives it no value.
  private mutating func source(
    _ prediction: Prediction, by method: String
  ) -> (source: RowSampler.Source, fit: AlignmentFit?)? {
    let adjustment = adjustment(of: prediction, by: method)
    guard !adjustment.isIdentity || readsDisparity else { return (.map(prediction), nil) }
    return adjustment.apply(to: raster(of: prediction), at: pixels(at: size)).map {
      (.raster($0.raster), $0.fit)
    }
  }

  private func adjustment(of prediction: Prediction, by method: String) -> PredictionAdjustment {
    PredictionAdjustment(rules, of: prediction.unit, ofScene: sceneFits.map { ($0, method) })
  }

  /// Metrics of single pixels, for a raster that holds the prediction at `size`.
  mutating func values(
    of metrics: [Metric], raster: [Double], of prediction: Prediction, by method: String, at size: RasterSize
  ) -> [Double?] {
    let pixels = pixels(at: size)
    guard !pixels.indices.isEmpty,
      let adjusted = adjustment(of: prediction, by: method).apply(to: raster, at: pixels)?.raster
    else { return metrics.map { _ in nil } }
    let errors = ErrorSummary(
      predicted: pixels.indices.map { adjusted[Int($0)] }, reference: pixels.reference, for: metrics)
    return metrics.map { $0.value(errors) }
  }

  /// What a fit of a prediction to the truth is made from.
  mutating func sums(_ step: AlignmentStep, of prediction: Prediction) -> AlignmentSums {
    AlignmentSums(step, raster(of: prediction), at: pixels(at: size))
  }

  /// A map as it is scored, at its own resolution, by the line of its row.
  mutating func shown(_ prediction: Prediction, by line: Line?) -> DepthMap {
    let adjustment = PredictionAdjustment(rules, of: prediction.unit)
    guard !adjustment.isIdentity else { return prediction.depth }
    let limits = adjustment.limits(pixels(at: size))
    var map = prediction.depth
    map.values = adjustment.map(map.values.map { Double($0) }, line, limits).map { Float($0) }
    return map
  }

  private mutating func pixels(at size: RasterSize) -> TruthPixels {
    if let known = prepared[size] { return known }
    let result = TruthPixels(frame, truth: map(at: size), protocol: rules)
    prepared[size] = result
    return result
  }

  private func map(at size: RasterSize) -> DepthMap { size == truth.size ? truth : truth.nearest(at: size) }
}

extension Prediction {
  /// 1/d at every pixel, 1/m; NaN where there is none.
  fileprivate var inverted: Prediction {
    var result = self
    result.depth.values = depth.values.map { $0 > 0 && $0.isFinite ? 1 / $0 : .nan }
    return result
  }
}

extension Raster {
  /// The raster at another resolution: pixel ⌊i·W/w⌋ of this one, in integers.
  func nearest(at size: RasterSize) -> Raster {
    let columns = (0..<size.width).map { $0 * width / size.width }
    var result: [Element] = []
    result.reserveCapacity(size.count)
    for row in 0..<size.height {
      let start = row * height / size.height * width
      for column in columns { result.append(values[start + column]) }
    }
    return Raster(width: size.width, height: size.height, values: result)
  }
}
