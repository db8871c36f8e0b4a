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
  /// Share of the truth pixels below a limit.
  public func share(_ limit: Int) -> Double { Double(below[limit]) / Double(truthCount) }
}
