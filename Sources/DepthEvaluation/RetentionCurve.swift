import DepthCore

/// Pixels that a threshold keeps, and their error: of a frame, or as a mean over frames.
///
/// A pixel is kept where its doubt, σ or the negative confidence, is at most a limit.
package struct RetentionCurve: Sendable, Equatable {
  static let mostPoints = 50
  private static let mostMeanPoints = 200
  /// Ascending; the last one keeps every pixel.
  let limits: [Double]
  /// By limits: share of the pixels that are kept, and the sum of their |d−g| over the number of all pixels, metres.
  private let shares: [Double], errors: [Double]
  /// Whether every doubt that occurs is a limit; else what lies between two is interpolated.
  private let isExact: Bool

  /// - Parameter errors: |d − g|.
  /// - Parameter order: Positions of the pixels by their doubts, ascending.
  /// - Returns: nil for no pixels.
  init?(errors: [Double], order: [Int], doubts: [Double]) {
    guard !order.isEmpty else { return nil }
    let ends = order.indices.filter { place in
      place + 1 == order.count || doubts[order[place]] != doubts[order[place + 1]]
    }
    isExact = ends.count <= Self.mostPoints
    var (limits, shares, means) = ([Double](), [Double](), [Double]())
    var (sum, next) = (0.0, 0)
    let count = Double(order.count)
    for (place, position) in order.enumerated() {
      sum += errors[position]
      guard next < ends.count, place == ends[next] else { continue }
      next += 1
      // Of many doubts the first, and those that complete another 1/49 of the pixels.
      let isPoint =
        isExact || place + 1 == order.count
        || (place + 1) * (Self.mostPoints - 1) >= limits.count * order.count
      guard isPoint else { continue }
      limits.append(doubts[position])
      shares.append(Double(place + 1) / count)
      means.append(sum / count)
    }
    (self.limits, self.shares, self.errors) = (limits, shares, means)
  }

  /// - Returns: nil for none.
  package init?(meanOf curves: [(curve: RetentionCurve, weight: Double)]) {
    let total = curves.reduce(0) { $0 + $1.weight }
    guard total > 0 else { return nil }
    let all = Self.limits(of: curves.map(\.curve))
    limits = all.limits
    isExact = all.areAll && curves.allSatisfy(\.curve.isExact)
    let points = limits.map { limit in
      curves.reduce((share: 0.0, error: 0.0)) { sum, part in
        let own = part.curve.kept(limit)
        return (sum.share + own.share * part.weight, sum.error + own.error * part.weight)
      }
    }
    (shares, errors) = (points.map { $0.share / total }, points.map { $0.error / total })
  }

  /// Limits of all curves, thinned evenly where they are many.
  package static func limits(of curves: [RetentionCurve]) -> (limits: [Double], areAll: Bool) {
    let all = Set(curves.flatMap(\.limits)).sorted()
    guard all.count > mostMeanPoints else { return (all, true) }
    return ((0..<mostMeanPoints).map { all[$0 * (all.count - 1) / (mostMeanPoints - 1)] }, false)
  }

  package func kept(_ limit: Double) -> (share: Double, error: Double) {
    var (low, high) = (0, limits.count)
    while low < high {
      let middle = (low + high) / 2
      if limits[middle] <= limit { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return (0, 0) }
    let below = low - 1
    guard !isExact, low < limits.count else { return (shares[below], errors[below]) }
    let part = (limit - limits[below]) / (limits[low] - limits[below])
    return (
      shares[below] + part * (shares[low] - shares[below]),
      errors[below] + part * (errors[low] - errors[below])
    )
  }

  func write(to writer: inout RowWriter) {
    writer.put(isExact)
    for values in [limits, shares, errors] { writer.put(values) }
  }

  init(from reader: inout RowReader) {
    isExact = reader.bool()
    (limits, shares, errors) = (reader.doubles(), reader.doubles(), reader.doubles())
  }

  var isPlausible: Bool {
    (1...Self.mostPoints).contains(limits.count) && shares.count == limits.count
      && errors.count == limits.count
  }
}
