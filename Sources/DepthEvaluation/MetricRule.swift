extension Metric {
  /// What is summed over the pixels, and how the sums become the value.
  enum Rule: Sendable {
    case coverage  // Pixels with a prediction / pixels with truth.
    case mean(ErrorTerm, times: Double = 1)  // Mean of a term, times a factor.
    case rootMean(ErrorTerm, times: Double = 1)  // √mean of a term, times a factor.
    case share(RatioLimit)  // Share of the truth pixels whose ratio is below a limit.
    case logSpread(times: Double)  // √(mean(e²) − mean(e)²), times a factor.
    case quantile(ErrorQuantile)
    case image(@Sendable (ImageErrors) -> Double?)  // What is found in the image.
    case neighbours  // Filled in where neighbouring frames are compared.
  }

  /// The value on some pixels; nil where they give none, and always where ``basis`` is of neighbours.
  public func value(_ errors: ErrorSummary) -> Double? {
    let sums = errors.sums
    return switch rule {
    case .coverage: sums.truthCount > 0 ? Double(sums.count) / Double(sums.truthCount) : nil
    case .mean(let term, let factor): sums.mean(term).map { $0 * factor }
    case .rootMean(let term, let factor): sums.mean(term).map { $0.squareRoot() * factor }
    case .share(let limit): sums.share(below: limit)
    case .logSpread(let factor): sums.logSpread.map { $0 * factor }
    case .quantile(let quantile): errors.quantile(quantile)
    case .image(let value): errors.image.flatMap(value)
    case .neighbours: nil
    }
  }

  /// The quantile that it is; nil for another metric.
  var quantile: ErrorQuantile? { if case .quantile(let quantile) = rule { quantile } else { nil } }

  /// Whether it needs logarithms, the dearest term.
  var needsLogarithms: Bool {
    switch rule {
    case .mean(let term, _), .rootMean(let term, _): term.isLogarithmic
    case .logSpread: true
    case .coverage, .share, .quantile, .image, .neighbours: false
    }
  }

  /// How values of several frames become that of all their pixels; nil for a metric that is defined on images only.
  package var pooling: Pooling? {
    switch rule {
    case .coverage, .share: .share
    case .mean: .mean
    case .rootMean: .rootMean
    case .logSpread: .scaleInvariant
    case .quantile(let quantile): quantile.measure == .absolute ? .quantile(quantile.share) : nil
    case .image, .neighbours: nil
    }
  }
}

extension Metric.Rule {
  var basis: Metric.Basis {
    switch self {
    case .coverage, .share: .truthPixels
    case .mean, .rootMean, .logSpread, .quantile: .predictedPixels
    case .image: .image
    case .neighbours: .neighbours
    }
  }
}
