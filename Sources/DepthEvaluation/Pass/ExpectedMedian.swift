import CFathomKernels
import DepthCore

/// The median of numbers that come in parts: a sample tells between which values it very likely lies, and only those are kept.
final class ExpectedMedian {
  private var low: Double, high: Double
  private let members: UnsafeMutablePointer<Double>  // From `low` to `high`.
  private var (found, below, count) = (0, 0, 0)

  /// - Parameter room: Most numbers that come.
  init(sample: [Double], room: Int) {
    var sample = sample
    (low, high) = OrderStatistics.interval(of: sample.count / 2, in: &sample)
    members = .allocate(capacity: max(1, room))
  }

  deinit { members.deallocate() }

  /// - Parameter numbers: Finite.
  func add(_ numbers: UnsafePointer<Double>, count more: Int) {
    var less = 0
    found += interval_members(numbers, more, 0, low, high, members + found, &less)
    below += less
    count += more
  }

  /// Whether it lies elsewhere than the sample tells.
  var isMissed: Bool { count > 0 && ((count - 1) / 2 < below || count / 2 >= below + found) }
  /// Forgets all numbers, and keeps all that come.
  func beginAnew() { (low, high, found, below, count) = (-.infinity, .infinity, 0, 0, 0) }

  /// Once all numbers were added, and unless it is missed; nil where there were none.
  var value: Double? {
    guard count > 0 else { return nil }
    let kept = Array(UnsafeBufferPointer(start: members, count: found))
    let (lower, upper) = OrderStatistics.neighbours(of: (count - 1) / 2 - below, in: kept)
    return count % 2 == 1 ? lower : lower + (upper - lower) * 0.5
  }
}

/// Medians of prediction and truth over the predicted pixels.
struct ExpectedMedians {
  private let predicted: ExpectedMedian, reference: ExpectedMedian

  init(_ sampler: RowSampler, _ blocks: TruthBlocks) {
    let pixels = blocks.sample(2000).map { (sampler.nearest($0), Double(blocks.truth.values[$0])) }
      .filter { $0.0 > 0 && $0.0.isFinite }
    predicted = ExpectedMedian(sample: pixels.map(\.0), room: blocks.count)
    reference = ExpectedMedian(sample: pixels.map(\.1), room: blocks.count)
  }

  func add(_ pixels: PixelRun) {
    predicted.add(pixels.predicted, count: pixels.count)
    reference.add(pixels.reference, count: pixels.count)
  }

  /// Whether one lies elsewhere than was expected. Then both begin anew, and all pixels must be added once more.
  func beginAnew() -> Bool {
    let isMissed = predicted.isMissed || reference.isMissed
    if isMissed {
      predicted.beginAnew()
      reference.beginAnew()
    }
    return isMissed
  }

  /// |median(g)/median(d) − 1|; nil without pixels.
  var scale: Double? {
    predicted.value.flatMap { d in reference.value.map { abs($0 / d - 1) } }
  }
}
