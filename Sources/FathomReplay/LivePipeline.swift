/// A camera, its pool of buffers, one analysis and a display, in virtual time.
///
/// The camera takes a buffer for every frame. The app retains those that it is going to analyse, `held` buffers each, until their
/// analysis ends; all others go back at once. One frame is analysed at a time. Time is counted in whole nanoseconds, so that the
/// same input gives the same result on every machine.
public struct LivePipeline: Sendable, Hashable {
  /// Buffers of the camera.
  public var pool: Int
  /// Buffers that the app retains for each frame that it analyses: its own and those of frames that it is analysed with.
  public var held: Int
  public var policy: AdmissionPolicy
  /// Refreshes of the display per second; nil where a result is shown as soon as it is there.
  public var display: Double?

  /// - Precondition: A pool of at least one buffer and a frame that holds at least one of them.
  public init(pool: Int, held: Int = 1, policy: AdmissionPolicy = .drop, display: Double? = nil) {
    precondition(pool > 0 && held > 0, "a camera has buffers and an analysis holds one")
    (self.pool, self.held, self.policy, self.display) = (pool, held, policy, display)
  }

  private enum Event {
    case capture(Int)
    case finish(Int)
  }

  /// What happens to frames.
  /// - Parameters:
  ///   - captures: When the camera takes each, nanoseconds, ascending.
  ///   - isTracked: Whether the frame would be looked at; asked for once per frame that the camera delivers.
  ///   - service: How long the analysis of a frame takes that starts at a time, nanoseconds; asked for once per analysed frame, in
  ///     the order of their starts.
  public func run<Failure: Error>(
    _ captures: [Int], isTracked: (Int) -> Bool = { _ in true },
    service: (_ frame: Int, _ start: Int) throws(Failure) -> Int
  ) throws(Failure) -> LiveTrace {
    var frames = captures.enumerated().map { ReplayedFrame(index: $0, captured: $1, fate: .dropped) }
    var (events, buffers) = (EventQueue<Event>(), BufferPool(pool))
    var (waiting, inFlight): ([Int], Int?) = ([], nil)
    // An analysis that ends when a frame comes has given its buffers back by then.
    for (frame, time) in captures.enumerated() { events.add(.capture(frame), at: time, rank: 1) }

    func start(_ frame: Int, at time: Int) throws(Failure) {
      let end = time + max(0, try service(frame, time))
      inFlight = frame
      frames[frame].fate = .analysed(from: time, to: end, shown: refresh(after: end))
      events.add(.finish(frame), at: end)
    }
    func release(_ frame: Int, at time: Int) {
      buffers.release(frames[frame].buffers, of: frame)
      frames[frame].released = time
    }

    while let (time, event) = events.next() {
      switch event {
      case .capture(let frame):
        guard buffers.free > 0 else {
          frames[frame].fate = .starved
          continue
        }
        guard isTracked(frame) else {
          frames[frame].fate = .untracked
          continue
        }
        let isBusy = inFlight != nil
        guard !isBusy || policy.room > 0 else { continue }
        guard let taken = buffers.take(held, for: frame) else {
          frames[frame].fate = .starved
          continue
        }
        frames[frame].buffers = taken
        guard isBusy else {
          try start(frame, at: time)
          continue
        }
        if waiting.count == policy.room { release(waiting.removeFirst(), at: time) }
        waiting.append(frame)
      case .finish(let frame):
        release(frame, at: time)
        inFlight = nil
        if !waiting.isEmpty { try start(waiting.removeFirst(), at: time) }
      }
    }
    return LiveTrace(frames: frames, mostHeld: buffers.mostHeld, display: display)
  }

  /// The first refresh of the display that is not before a time.
  private func refresh(after time: Int) -> Int {
    guard let display else { return time }
    return DisplayClock(display).refresh(notBefore: time)
  }
}

/// The refreshes of a display, or the frames of a camera: a steady clock from 0.
public struct DisplayClock: Sendable, Hashable {
  /// Per second.
  public let rate: Double

  /// - Precondition: `rate` is above 0 and finite.
  public init(_ rate: Double) {
    precondition(rate > 0 && rate.isFinite, "a clock ticks")
    self.rate = rate
  }

  /// When a tick is, nanoseconds.
  public func time(of tick: Int) -> Int { Int((Double(tick) * 1e9 / rate).rounded()) }

  /// The first tick at or after a time.
  public func refresh(notBefore time: Int) -> Int {
    var tick = Int((Double(time) * rate / 1e9).rounded())
    while tick > 0, self.time(of: tick - 1) >= time { tick -= 1 }
    while self.time(of: tick) < time { tick += 1 }
    return self.time(of: tick)
  }

  /// Every tick from 0 up to a time, itself included.
  public func ticks(upTo end: Int) -> [Int] {
    var ticks: [Int] = []
    while time(of: ticks.count) <= end { ticks.append(time(of: ticks.count)) }
    return ticks
  }
}

extension LivePipeline {
  /// Buffers with which a queue would analyse every frame that is tracked: the most that it ever holds.
  public func buffersToKeepAll(
    _ captures: [Int], isTracked: (Int) -> Bool = { _ in true }, service: (_ frame: Int) -> Int
  ) -> Int {
    // First in, first out, one at a time: a frame is done after its own start or the end of the one before.
    var (free, ends, first, most) = (Int.min, [Int](), 0, 0)
    for (frame, time) in captures.enumerated() where isTracked(frame) {
      free = max(free, time) + max(0, service(frame))
      ends.append(free)
      while ends[first] <= time, first < ends.count - 1 { first += 1 }
      most = max(most, ends.count - first)
    }
    return most * held
  }
}
