internal import DepthCore

/// What happened to every frame of a replay.
public struct LiveTrace: Sendable, Hashable {
  public let frames: [ReplayedFrame]
  /// The most buffers that were held at once.
  public let mostHeld: Int
  /// Refreshes of the display per second; nil where results are shown at once.
  public let display: Double?

  /// A result: what was seen at one time is shown at another.
  public struct Result: Sendable, Hashable {
    public var frame: Int
    /// Nanoseconds.
    public var captured: Int, started: Int, finished: Int, shown: Int
    /// From capture to display, nanoseconds.
    public var latency: Int { shown - captured }
  }

  /// Of the analysed frames, in the order of their analysis.
  public var results: [Result] {
    frames.compactMap { frame in
      guard case .analysed(let from, let to, let shown) = frame.fate else { return nil }
      return Result(frame: frame.index, captured: frame.captured, started: from, finished: to, shown: shown)
    }
  }

  public func count(_ isCounted: (FrameFate) -> Bool) -> Int { frames.count { isCounted($0.fate) } }
  public var analysed: Int { results.count }
  public var dropped: Int { count { $0 == .dropped } }
  public var starved: Int { count { $0 == .starved } }
  public var untracked: Int { count { $0 == .untracked } }

  /// Longest run of frames for which the camera had no buffer.
  public var longestStarvation: Int {
    var (longest, current) = (0, 0)
    for frame in frames {
      current = frame.fate == .starved ? current + 1 : 0
      longest = max(longest, current)
    }
    return longest
  }

  /// How old the result on screen is, nanoseconds since its capture: at each refresh of the display between the first result and
  /// the last capture; without a display clock at each capture.
  public var ages: [Int] {
    let results = results.sorted { $0.shown < $1.shown }
    guard let first = results.first, let end = frames.last?.captured else { return [] }
    let instants = display.map { DisplayClock($0).ticks(upTo: end) } ?? frames.map(\.captured)
    var (ages, next): ([Int], Int) = ([], 0)
    for instant in instants where instant >= first.shown {
      while next + 1 < results.count, results[next + 1].shown <= instant { next += 1 }
      ages.append(instant - results[next].captured)
    }
    return ages
  }
}

/// Mean, median, tail and largest of times or distances.
public struct Spread: Sendable, Hashable, Codable {
  public let mean: Double, median: Double, p95: Double, p99: Double, largest: Double

  /// nil without values.
  public init?(_ values: [Double]) {
    guard let median = OrderStatistics.median(of: values),
      let p95 = OrderStatistics.quantile(0.95, of: values),
      let p99 = OrderStatistics.quantile(0.99, of: values), let largest = values.max()
    else { return nil }
    (self.median, self.p95, self.p99, self.largest) = (median, p95, p99, largest)
    mean = values.reduce(0, +) / Double(values.count)
  }

  /// Of nanoseconds, in milliseconds.
  public init?(nanoseconds: [Int]) { self.init(nanoseconds.map { Double($0) / 1e6 }) }
}
