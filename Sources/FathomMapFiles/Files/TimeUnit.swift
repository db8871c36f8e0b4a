internal import DepthCore

/// What a time without a named unit counts: parts of a second.
package enum TimeUnit: Double, CaseIterable, Sendable {
  case seconds = 1, milliseconds = 1e3, microseconds = 1e6, nanoseconds = 1e9

  /// By magnitude: dates of our years fit one unit only; others are told by the step from one to the next. What has decimals and is not a
  /// date is in seconds, or in milliseconds where it steps evenly by ten or more.
  package init(of times: [Double]) { self = Self.date(times) ?? Self.stepping(times) ?? .seconds }

  private static func date(_ times: [Double]) -> TimeUnit? {
    guard let last = times.max() else { return nil }
    // Since 1970: from 1985 to 2128.
    return allCases.first { (5e8...5e9).contains(last / $0.rawValue) }
  }

  private static func stepping(_ times: [Double]) -> TimeUnit? {
    let sorted = times.sorted()
    let steps = zip(sorted.dropFirst(), sorted).map { $0 - $1 }.filter { $0 > 0 }
    guard let step = OrderStatistics.median(of: steps) else { return nil }
    guard times.allSatisfy({ $0 == $0.rounded() }) else {
      // A camera's clock in milliseconds, with decimals: it ticks evenly, and not every ten seconds.
      let even = steps.count { abs($0 / step - 1) < 0.2 }
      return step >= 10 && steps.count > 2 && even * 2 > steps.count ? .milliseconds : nil
    }
    // Between 2 ms and 2 s in each of them.
    return [.nanoseconds, .microseconds].first { step >= 2e-3 * $0.rawValue }
      ?? (step >= 10 ? .milliseconds : nil)
  }

  /// "nanoseconds"
  package var name: String { "\(self)" }
  package func seconds(_ time: Double) -> Double { time / rawValue }
  /// Why none of some times belongs to any of others, all in seconds.
  /// - Parameter what: What the first ones are of: "poses".
  package static func apart(_ times: [Double], of what: String, _ frames: [Double], within tolerance: Double)
    -> String
  {
    guard let first = times.min(), let last = times.max(), let low = frames.min(), let high = frames.max()
    else { return "none of the \(times.count) \(what) has a time" }
    func words(_ time: Double) -> String { DepthWords.number((time * 1000).rounded() / 1000) }
    return
      "none of the times of the \(times.count) \(what), \(words(first)) to \(words(last)) s, lies within \(tolerance) s of a frame; those are \(words(low)) to \(words(high)) s, and the first ones are \(words(abs(low - first))) s apart"
  }
}
