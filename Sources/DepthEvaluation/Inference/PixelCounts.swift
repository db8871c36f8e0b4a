import FathomStatistics

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

  /// The counts of a prediction's pixels, by support.
  init(_ sums: [Support: ErrorSums], errors: ErrorHistogram) {
    func counts(_ support: Support) -> Counts {
      sums[support].map { Counts(truth: $0.truthCount, predicted: $0.count) } ?? Counts()
    }
    (all, measured, filled) = (counts(.all), counts(.measured), counts(.filled))
    meanLogError = sums[.all]?.meanLog
    self.errors = errors
  }
}
