internal import DepthCore

/// What corrections for an inexact truth need of a frame: means over its truth pixels with a prediction. d is the prediction, g the truth.
public struct TruthMoments: Sendable, BitwiseCopyable {
  package let count: Int  // Pixels.
  package let bias: Double, square: Double  // d−g, metres, and its square, square metres.
  /// g, metres; g² and (d−g)·g, square metres.
  package let range: Double, rangeSquare: Double, errorTimesRange: Double
  /// Variance of the truth that its own map says, square metres, over the pixels at which it says one; 0 without a map.
  package let variance: Double
  package let noiseFree: NoiseFreeErrors

  /// - Parameter raster: The prediction as it is scored, at the truth's resolution, metres.
  /// - Parameter map: Standard deviations of the truth, metres, at its resolution; nil where none are stored.
  /// - Parameter deviation: What is said of the truth besides.
  /// - Returns: nil where no truth pixel has a prediction.
  init?(_ raster: [Double], at pixels: TruthPixels, map: DepthMap? = nil, _ deviation: TruthDeviation) {
    var (count, known, variance) = (0, 0, 0.0)
    var pairs: [(d: Double, g: Double)] = [], variances: [Double] = []
    var (bias, square, range, rangeSquare, product) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (index, g) in zip(pixels.indices, pixels.reference) {
      let d = raster[Int(index)]
      guard d > 0, d.isFinite else { continue }
      let error = d - g
      count += 1
      bias += error
      square += error * error
      range += g
      rangeSquare += g * g
      product += error * g
      pairs.append((d, g))
      let own = map.map { Double($0.values[Int(index)]) } ?? 0
      variances.append(own > 0 && own.isFinite ? own * own : -1)
      guard own > 0, own.isFinite else { continue }
      known += 1
      variance += own * own
    }
    guard count > 0 else { return nil }
    let total = Double(count), mean = known > 0 ? variance / Double(known) : 0
    let deviations = zip(pairs, variances).map { pair, own in
      (deviation.noiseVariance(rangeSquare: pair.g * pair.g) + (own < 0 ? mean : own)).squareRoot()
    }
    self.init(
      count: count, bias: bias / total, square: square / total, range: range / total,
      rangeSquare: rangeSquare / total, errorTimesRange: product / total,
      variance: mean,
      noiseFree: NoiseFreeErrors(pairs, deviations: deviations, truthCount: pixels.indices.count))
  }

  init(
    count: Int, bias: Double, square: Double, range: Double, rangeSquare: Double, errorTimesRange: Double,
    variance: Double = 0, noiseFree: NoiseFreeErrors = NoiseFreeErrors()
  ) {
    (self.count, self.bias, self.square, self.variance) = (count, bias, square, variance)
    self.noiseFree = noiseFree
    (self.range, self.rangeSquare, self.errorTimesRange) = (range, rangeSquare, errorTimesRange)
  }

  /// The same against a truth whose depths are shorter by a share, or by a length.
  /// - Parameter isFitted: Whether the prediction is fitted to the truth's scale, and becomes shorter with it.
  package func shifted(scale: Double = 0, length: Double = 0, isFitted: Bool) -> TruthMoments {
    let growth = isFitted ? 1 + scale : 1
    let added = isFitted ? 0 : scale
    let bias = (self.bias + added * range) * growth
    let square = (self.square + 2 * added * errorTimesRange + added * added * rangeSquare) * growth * growth
    return TruthMoments(
      count: count, bias: bias + length, square: square + 2 * length * bias + length * length, range: range,
      rangeSquare: rangeSquare, errorTimesRange: errorTimesRange, variance: variance,
      noiseFree: noiseFree)
  }
}
