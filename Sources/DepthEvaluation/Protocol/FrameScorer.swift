import DepthCore
import DepthFusion

/// Scores predictions of one frame by the rules of one protocol. What depends on the frame alone is prepared once per
/// resolution at which prediction and truth meet.
struct FrameScorer {
  private let frame: DepthFrame
  private let truth: DepthMap
  private let rules: EvaluationProtocol
  private var prepared: [RasterSize: TruthPixels] = [:]
  private var scorers: [RasterSize: PixelScorer] = [:]

  /// - Returns: nil where the frame has no truth.
  init?(_ frame: DepthFrame, _ rules: EvaluationProtocol) {
    guard let truth = frame.truth else { return nil }
    (self.frame, self.truth, self.rules) = (frame, truth, rules)
  }

  /// Whether any truth pixel counts, at the truth's own resolution.
  var hasPixels: Bool {
    mutating get { !pixels(at: truth.size).indices.isEmpty }
  }

  /// The resolution at which a prediction and the truth meet.
  func size(for prediction: Prediction) -> RasterSize {
    switch rules.resampling {
    case .predictionAtTruth: truth.size
    // The network's raster for every method, so that all are held against the same pixels.
    case .truthAtPrediction: frame.relative?.size ?? frame.lidar.size
    }
  }

  /// All columns, breakdowns and pixel counts of a prediction; nil where the protocol gives it no value.
  mutating func scores(of prediction: Prediction) -> PixelScores? {
    let size = size(for: prediction)
    let pixels = pixels(at: size)
    guard !pixels.indices.isEmpty else { return nil }
    let scorer = scorers[size] ?? PixelScorer(frame, pixels: pixels, adjustment: PredictionAdjustment(rules))
    scorers[size] = scorer
    return scorer.scores(of: prediction, countingPixels: rules.aggregation == .pooled)
  }

  /// Metrics of single pixels, for a raster that holds the prediction at `size`.
  mutating func values(
    of metrics: [Metric], raster: [Double], at size: RasterSize
  ) -> [Double?] {
    let pixels = pixels(at: size)
    guard !pixels.indices.isEmpty, let adjusted = PredictionAdjustment(rules).apply(to: raster, at: pixels)
    else { return metrics.map { _ in nil } }
    let pairs = DepthPairs(
      predicted: pixels.indices.map { adjusted[Int($0)] }, reference: pixels.reference)
    return metrics.map { $0.value(pairs) }
  }

  private mutating func pixels(at size: RasterSize) -> TruthPixels {
    if let known = prepared[size] { return known }
    let map = size == truth.size ? truth : truth.nearest(at: size)
    let result = TruthPixels(frame, truth: map, protocol: rules)
    prepared[size] = result
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
