import DepthFusion

/// What pooling over pixels needs of a frame beside its values: with it, means become sums without the pixels.
public struct PixelCounts: Sendable {
  /// Pixels of one support.
  struct Counts: Sendable {
    /// Pixels with truth.
    var truth = 0
    /// Those of them with a prediction.
    var predicted = 0
  }

  /// Truth pixels of the protocol.
  var all = Counts()
  /// Those that the LiDAR measures.
  var measured = Counts()
  /// The rest.
  var filled = Counts()
  /// mean(ln d − ln g); `silog` alone does not tell its sign.
  var meanLogError: Double?
  /// |d − g| of every predicted pixel.
  var errors = ErrorHistogram()

  subscript(support: Support) -> Counts {
    switch support {
    case .all: all
    case .measured: measured
    case .filled: filled
    }
  }
}

extension PixelScorer {
  /// The counts of a prediction's samples; only asked for when pixels are pooled.
  func pixelCounts(of samples: [Double]) -> PixelCounts {
    let split = pixels.measuredCount
    func counts(_ range: Range<Int>) -> PixelCounts.Counts {
      .init(truth: range.count, predicted: samples[range].count { $0 > 0 && $0.isFinite })
    }
    var result = PixelCounts()
    result.all = counts(0..<samples.count)
    result.measured = counts(0..<split)
    result.filled = counts(split..<samples.count)
    let pairs = DepthPairs(predicted: samples, reference: pixels.reference)
    result.meanLogError = pairs.meanLog { $0 }
    for (d, g) in zip(pairs.predicted, pairs.reference) { result.errors.add(abs(d - g)) }
    return result
  }
}
