/// How many truth pixels of a frame have an error below each of some fixed limits: the cumulative distribution of
/// |d − g| without the pixels.
public struct ErrorCounts: Sendable, Equatable {
  /// Metres: 1 mm … 10 m in the preferred numbers R10 of ISO 3, ten to a decade.
  public static let limits: [Double] =
    [1_000, 10_000, 100_000, 1_000_000].flatMap { decade in
      // Divided by a power of ten: the double nearest to the decimal that files show.
      [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8].map { $0 * decade / 1_000_000 }
    } + [10]

  /// Pixels with a prediction and |d − g| strictly below each limit.
  public let below: [Int]
  /// Pixels with truth, predicted or not: a missing prediction is below no limit.
  public let truthCount: Int

  /// - Returns: nil where no pixel is predicted.
  /// - Complexity: O(n), some nanoseconds a pixel.
  init?(_ pairs: DepthPairs) {
    guard pairs.count > 0 else { return nil }
    let counts = ErrorBins.counts(pairs.predicted, pairs.reference)
    var total = 0
    below = Self.limits.indices.map { limit in
      total += counts[limit]
      return total
    }
    truthCount = pairs.truthCount
  }

  /// Share of the truth pixels below a limit.
  public func share(_ limit: Int) -> Double { Double(below[limit]) / Double(truthCount) }
}

/// Finds the limits that an error reaches from the leading bits of its floating-point form, not by search.
private enum ErrorBins {
  /// Drops all but 7 bits of the fraction: a cell is 0.8 % wide, limits lie 25 % apart.
  private static let shift: UInt64 = 45
  private static let firstCell = Int((ErrorCounts.limits.first ?? 1).bitPattern >> shift)
  /// Limits at or below the lower edge of each cell.
  private static let reached: [UInt8] = {
    let last = Int((ErrorCounts.limits.last ?? 1).bitPattern >> shift)
    return (firstCell...last).map { cell in
      let edge = Double(bitPattern: UInt64(cell) << shift)
      return UInt8(ErrorCounts.limits.count { $0 <= edge })
    }
  }()

  /// Pixels by the number of limits that |d − g| reaches.
  static func counts(_ predicted: [Double], _ reference: [Double]) -> [Int] {
    let limits = ErrorCounts.limits + [.infinity]
    // Two tables in turn: neighbouring pixels often share a bin, and a count would wait for the one before.
    var counts = [Int](repeating: 0, count: 2 * limits.count)
    let (firstCell, lastCell) = (firstCell, reached.count - 1)
    counts.withUnsafeMutableBufferPointer { counts in
      predicted.withUnsafeBufferPointer { d in
        reference.withUnsafeBufferPointer { g in
          reached.withUnsafeBufferPointer { reached in
            limits.withUnsafeBufferPointer { limits in
              for i in 0..<d.count {
                let error = abs(d[i] - g[i])
                let cell = min(max(Int(error.bitPattern >> shift) - firstCell, 0), lastCell)
                let bin = Int(reached[cell])
                counts[(i & 1) * limits.count + bin + (error >= limits[bin] ? 1 : 0)] += 1
              }
            }
          }
        }
      }
    }
    return limits.indices.map { counts[$0] + counts[limits.count + $0] }
  }
}
