import DepthCore

/// What a prediction's errors on some pixels come to: all that a metric is computed from.
public struct ErrorSummary: Sendable {
  public let sums: ErrorSums
  private let quantiles: [ErrorQuantile: Double]
  /// What belongs to whole images; nil for parts of one.
  let image: ImageErrors?

  init(_ sums: ErrorSums, quantiles: [ErrorQuantile: Double] = [:], image: ImageErrors? = nil) {
    (self.sums, self.quantiles, self.image) = (sums, quantiles, image)
  }

  init(_ other: ErrorSummary, image: ImageErrors?) {
    self.init(other.sums, quantiles: other.quantiles, image: image)
  }

  /// nil where no pixel is predicted.
  func quantile(_ quantile: ErrorQuantile) -> Double? { quantiles[quantile] }

  /// Of pixels that lie anywhere.
  /// - Parameter predicted: One value per truth pixel; not finite or ≤ 0 is missing.
  /// - Parameter reference: True depth, finite and positive.
  /// - Precondition: equal lengths.
  public init(
    predicted: ArraySlice<Double>, reference: ArraySlice<Double>, for metrics: [Metric] = Metric.all
  ) {
    precondition(predicted.count == reference.count, "one prediction per truth pixel")
    var (d, g) = ([Double](), [Double]())
    d.reserveCapacity(predicted.count)
    g.reserveCapacity(predicted.count)
    predicted.withUnsafeBufferPointer { predicted in
      reference.withUnsafeBufferPointer { reference in
        for i in 0..<predicted.count where predicted[i] > 0 && predicted[i].isFinite {
          d.append(predicted[i])
          g.append(reference[i])
        }
      }
    }
    let inverse = g.map { 1 / $0 }
    var sums = ErrorSums(logShift: d.isEmpty ? 0 : ErrorLog.ratio(d[0], g[0]))
    d.withUnsafeBufferPointer { d in
      g.withUnsafeBufferPointer { g in
        inverse.withUnsafeBufferPointer { inverse in
          guard let predicted = d.baseAddress, let reference = g.baseAddress,
            let inverse = inverse.baseAddress
          else { return }
          sums.add(
            PixelRun(predicted: predicted, reference: reference, inverse: inverse, count: d.count),
            logarithms: metrics.contains(where: \.needsLogarithms), bins: nil)
        }
      }
    }
    sums.truthCount = predicted.count
    var quantiles: [ErrorQuantile: Double] = [:]
    for (measure, wanted) in Dictionary(grouping: metrics.compactMap(\.quantile), by: \.measure) {
      let errors = d.indices.map { i in abs(d[i] - g[i]) * (measure == .relative ? inverse[i] : 1) }
      for quantile in wanted { quantiles[quantile] = OrderStatistics.quantile(quantile.share, of: errors) }
    }
    self.init(sums, quantiles: quantiles)
  }

  /// - SeeAlso: ``init(predicted:reference:for:)-(ArraySlice<Double>,_,_)``
  public init(predicted: [Double], reference: [Double], for metrics: [Metric] = Metric.all) {
    self.init(predicted: predicted[...], reference: reference[...], for: metrics)
  }
}

/// Errors that need an image: its edges, its order by confidence.
struct ImageErrors: Sendable {
  /// nil where the truth has no boundary.
  var boundaryF1: Double?
  /// nil without confidence or predictions.
  var sparsification: Sparsification?
  /// nil where they are not computed.
  var extended: ExtendedErrors?
}
