import DepthFusion
import Foundation

/// Predicted and true depth at the pixels of one image that have truth.
public struct DepthPairs: Sendable {
  /// Predicted depth d, metres, where there is a prediction: finite and positive.
  public let predicted: [Double]
  /// True depth g of the same pixels, metres.
  public let reference: [Double]
  /// ln d − ln g of the same pixels.
  public let logRatio: [Double]
  /// Pixels with truth, with or without a prediction.
  public let truthCount: Int

  /// - Parameters:
  ///   - predicted: One value per truth pixel; not finite or ≤ 0 is missing.
  ///   - reference: True depth, finite and positive.
  /// - Precondition: equal lengths.
  public init(predicted: some Collection<Double>, reference: some Collection<Double>) {
    precondition(predicted.count == reference.count, "one prediction per truth pixel")
    truthCount = reference.count
    var (d, g, e) = ([Double](), [Double](), [Double]())
    d.reserveCapacity(truthCount)
    g.reserveCapacity(truthCount)
    e.reserveCapacity(truthCount)
    for (value, truth) in zip(predicted, reference) where value > 0 && value.isFinite {
      d.append(value)
      g.append(truth)
      e.append(log(value / truth))
    }
    (self.predicted, self.reference, logRatio) = (d, g, e)
  }

  /// Pixels with truth and prediction.
  public var count: Int { predicted.count }

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

  /// Mean over the logarithmic errors e = ln d − ln g.
  @inline(__always)
  func meanLog(_ term: (_ e: Double) -> Double) -> Double? {
    guard !logRatio.isEmpty else { return nil }
    var sum = 0.0
    for e in logRatio { sum += term(e) }
    return sum / Double(logRatio.count)
  }

  /// Share of all truth pixels, predicted or not, whose prediction meets a condition; nil where no pixel is
  /// predicted.
  @inline(__always)
  func share(where condition: (_ d: Double, _ g: Double) -> Bool) -> Double? {
    guard !predicted.isEmpty else { return nil }
    var hits = 0
    for i in predicted.indices where condition(predicted[i], reference[i]) { hits += 1 }
    return Double(hits) / Double(truthCount)
  }

  /// Quantile of a term over the predicted pixels, linear between order statistics.
  func quantile(_ q: Double, of term: (_ d: Double, _ g: Double) -> Double) -> Double? {
    OrderStatistics.quantile(q, of: zip(predicted, reference).map(term))
  }
}
