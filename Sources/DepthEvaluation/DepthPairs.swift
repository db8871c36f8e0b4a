public import DepthCore
import Foundation
import Synchronization

/// Predicted and true depth at the pixels of one image that have truth.
public struct DepthPairs: Sendable {
  /// Predicted depth d, metres, where there is a prediction: finite and positive.
  public let predicted: [Double]
  /// True depth g of the same pixels, metres.
  public let reference: [Double]
  /// max(d/g, g/d) of the same pixels.
  public let ratio: [Double]
  /// Pixels with truth, with or without a prediction.
  public let truthCount: Int
  /// What metrics need that look at more than single pixels; nil for pixels out of their image.
  public let surroundings: Surroundings?
  private let caches = Caches()

  /// Where the pixels lie and what else is known of them.
  public struct Surroundings: Sendable {
    /// LiDAR confidence of every predicted pixel, in the order of ``DepthPairs/predicted``; nil without confidence.
    public var levels: [UInt8]?
    /// Resolution of the truth.
    public var size: RasterSize
    /// Predicted depth of the whole raster, row-major; not finite where it is missing.
    public var predicted: [Double]
    /// True depth of the whole raster; NaN where it does not count.
    public var reference: [Double]
  }

  /// - Parameters:
  ///   - predicted: One value per truth pixel; not finite or ≤ 0 is missing.
  ///   - reference: True depth, finite and positive.
  /// - Precondition: equal lengths.
  public init(
    predicted: ArraySlice<Double>, reference: ArraySlice<Double>, surroundings: Surroundings? = nil
  ) {
    precondition(predicted.count == reference.count, "one prediction per truth pixel")
    self.surroundings = surroundings
    truthCount = reference.count
    var (d, g) = ([Double](), [Double]())
    d.reserveCapacity(truthCount)
    g.reserveCapacity(truthCount)
    predicted.withUnsafeBufferPointer { predicted in
      reference.withUnsafeBufferPointer { reference in
        for i in 0..<predicted.count where predicted[i] > 0 && predicted[i].isFinite {
          d.append(predicted[i])
          g.append(reference[i])
        }
      }
    }
    (self.predicted, self.reference) = (d, g)
    ratio = Self.mapped(d, g) { max($0 / $1, $1 / $0) }
  }

  /// - SeeAlso: ``init(predicted:reference:)-(ArraySlice<Double>,_)``
  public init(predicted: [Double], reference: [Double]) {
    self.init(predicted: predicted[...], reference: reference[...])
  }

  /// Pixels with truth and prediction.
  public var count: Int { predicted.count }

  /// A term of every pixel.
  @inline(__always)
  private static func mapped(
    _ d: [Double], _ g: [Double], _ term: (_ d: Double, _ g: Double) -> Double
  ) -> [Double] {
    [Double](unsafeUninitializedCapacity: d.count) { out, initialized in
      d.withUnsafeBufferPointer { d in
        g.withUnsafeBufferPointer { g in
          for i in 0..<d.count { out[i] = term(d[i], g[i]) }
        }
      }
      initialized = d.count
    }
  }

  /// Mean over the predicted pixels; nil where there is none.
  @inline(__always)
  func mean(_ term: (_ d: Double, _ g: Double) -> Double) -> Double? {
    guard !predicted.isEmpty else { return nil }
    return predicted.withUnsafeBufferPointer { d in
      reference.withUnsafeBufferPointer { g in
        // Four running sums: a single one waits for each addition.
        var sums = SIMD4<Double>()
        let body = d.count - d.count % 4
        for i in stride(from: 0, to: body, by: 4) {
          sums += SIMD4(
            term(d[i], g[i]), term(d[i + 1], g[i + 1]), term(d[i + 2], g[i + 2]), term(d[i + 3], g[i + 3]))
        }
        var sum = sums.sum()
        for i in body..<d.count { sum += term(d[i], g[i]) }
        return sum / Double(d.count)
      }
    }
  }

  /// e = ln d − ln g of every predicted pixel: the dearest array, so computed when first asked for and kept.
  var logRatio: [Double] {
    caches.logRatio.withLock { cached in
      if let cached { return cached }
      let values = Self.mapped(predicted, reference) { log($0 / $1) }
      cached = values
      return values
    }
  }

  /// Mean over the logarithmic errors.
  @inline(__always)
  func meanLog(_ term: (_ e: Double) -> Double) -> Double? {
    let errors = logRatio
    guard !errors.isEmpty else { return nil }
    var sum = 0.0
    for e in errors { sum += term(e) }
    return sum / Double(errors.count)
  }

  /// Share of all truth pixels, predicted or not, whose ratio max(d/g, g/d) is below a limit; nil where no pixel
  /// is predicted.
  func share(below limit: Double) -> Double? {
    guard !predicted.isEmpty else { return nil }
    var hits = 0
    for value in ratio { hits &+= value < limit ? 1 : 0 }
    return Double(hits) / Double(truthCount)
  }

  /// Quantile of a term over the predicted pixels, linear between order statistics.
  @inline(__always)
  func quantile(_ q: Double, of term: (_ d: Double, _ g: Double) -> Double) -> Double? {
    OrderStatistics.quantile(q, of: Self.mapped(predicted, reference, term))
  }
}

extension DepthPairs {
  /// Sparsification of the relative error by confidence; nil without confidence or predictions. Computed once.
  public var sparsification: Sparsification? {
    guard let levels = surroundings?.levels, levels.count == count else { return nil }
    return caches.sparsification.withLock { cached in
      if let cached { return cached }
      let errors = Self.mapped(predicted, reference) { abs($0 - $1) / $1 }
      let value = Sparsification(errors: errors, levels: levels)
      cached = .some(value)
      return value
    }
  }
}

/// Holds what several metrics of one ``DepthPairs`` ask for, once it was asked for.
private final class Caches: Sendable {
  let logRatio = Mutex<[Double]?>(nil)
  let sparsification = Mutex<Sparsification??>(nil)
}
