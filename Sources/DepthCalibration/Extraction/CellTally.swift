import DepthCore

/// Sums over frames of what was measured in one cell: a mean needs nothing else, however many frames there are.
struct CellTally: Sendable, Codable {
  /// Pixels with truth, and those of them with a return.
  private(set) var pixels = 0, returns = 0
  /// Frames that have such pixels.
  private(set) var frames = 0
  /// Per ``ErrorStatistic``: sum over the frames that have a value, and their number.
  private var sums = [Double](repeating: 0, count: ErrorStatistic.allCases.count)
  private var counts = [Int](repeating: 0, count: ErrorStatistic.allCases.count)
  init() {}

  /// One frame.
  /// - Parameter errors: Measured − true of the pixels with truth, metres; NaN where nothing came back. Not empty.
  /// - Parameter depths: True depth of each.
  init(errors: [Double], depths: [Double]) {
    let measured = errors.indices.filter { !errors[$0].isNaN }
    (pixels, returns, frames) = (errors.count, measured.count, 1)
    set(.coverage, Double(returns) / Double(pixels))
    guard !measured.isEmpty else { return }
    let count = Double(measured.count)
    let sizes = measured.map { abs(errors[$0]) }
    set(.bias, measured.reduce(0) { $0 + errors[$1] } / count)
    set(.mae, sizes.reduce(0, +) / count)
    set(.rmse, (sizes.reduce(0) { $0 + $1 * $1 } / count).squareRoot())
    set(.p95, OrderStatistics.quantile(0.95, of: sizes))
    set(.medianRel, OrderStatistics.median(of: measured.map { abs(errors[$0]) / depths[$0] }))
  }

  private mutating func set(_ statistic: ErrorStatistic, _ value: Double?) {
    guard let value, let index = ErrorStatistic.allCases.firstIndex(of: statistic) else { return }
    (sums[index], counts[index]) = (value, 1)
  }

  /// The mean over frames; nil where no frame has a value.
  func mean(_ statistic: ErrorStatistic) -> Double? {
    guard let index = ErrorStatistic.allCases.firstIndex(of: statistic), counts[index] > 0 else { return nil }
    return sums[index] / Double(counts[index])
  }

  /// Frames that have a value.
  func frameCount(_ statistic: ErrorStatistic) -> Int {
    ErrorStatistic.allCases.firstIndex(of: statistic).map { counts[$0] } ?? 0
  }

  static func += (total: inout CellTally, part: CellTally) {
    total.pixels += part.pixels
    total.returns += part.returns
    total.frames += part.frames
    for index in total.sums.indices {
      total.sums[index] += part.sums[index]
      total.counts[index] += part.counts[index]
    }
  }
}
