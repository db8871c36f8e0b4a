package import FathomStatistics

/// What pooling over pixels needs of a frame beside its values: with it, means become sums without the pixels.
public struct PixelCounts: Sendable {
  /// Pixels of one support.
  struct Counts: Sendable {
    var truth = 0  // Pixels with truth.
    var predicted = 0  // Those of them with a prediction.
  }

  var all = Counts()  // Truth pixels of the protocol.
  var measured = Counts()  // Those that the LiDAR measures.
  var filled = Counts()  // The rest.
  /// mean(ln d − ln g); `silog` alone does not tell its sign.
  package var meanLogError: Double?
  package var errors = ErrorHistogram()  // |d − g| of every predicted pixel.

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
