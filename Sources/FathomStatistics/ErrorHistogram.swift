internal import DepthCore
internal import Foundation

/// Absolute errors counted in logarithmic bins, 0.1 mm … 100 m: quantiles of any number of pixels to 0.2 %.
public struct ErrorHistogram: Sendable, Equatable, Codable {
  package static let binCount = 4096
  private static let (smallest, largest) = (1e-4, 100.0)
  private static let binsPerUnit = Double(binCount) / log(largest / smallest)
  /// Nothing counted yet.
  public init() {}
  package private(set) var counts = [UInt32](repeating: 0, count: binCount)

  /// - Parameter counts: One per bin.
  package init(counts: [UInt32]) {
    precondition(counts.count == Self.binCount, "one count per bin")
    self.counts = counts
  }

  /// An error outside the range counts in the bin at that end.
  public mutating func add(_ error: Double) {
    let position = error > Self.smallest ? log(error / Self.smallest) * Self.binsPerUnit : 0
    counts[min(Self.binCount - 1, Int(saturating: position))] += 1
  }

  /// Takes in what another counted.
  public mutating func add(_ other: ErrorHistogram) {
    for bin in counts.indices { counts[bin] += other.counts[bin] }
  }

  /// The error below which a share `q` lies, within its bin by the logarithm; nil where nothing was counted.
  public func quantile(_ q: Double) -> Double? {
    let total = counts.reduce(0) { $0 + Int($1) }
    guard total > 0 else { return nil }
    // The middle of the wanted draw: rank q·(n − 1), counted from its lower edge.
    let rank = q * Double(total - 1) + 0.5
    var below = 0.0
    for (bin, count) in counts.enumerated() where count > 0 {
      if below + Double(count) >= rank {
        let position = Double(bin) + (rank - below) / Double(count)
        return Self.smallest * exp(position / Self.binsPerUnit)
      }
      below += Double(count)
    }
    return Self.largest
  }
}
