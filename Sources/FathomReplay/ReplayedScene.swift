internal import DepthCore

/// What a live pipeline would have done with a recording.
public struct ReplayedScene: Sendable {
  /// A result and how far the camera moved until it was on screen; nil where a pose is not known.
  public struct Shown: Sendable, Hashable {
    public var result: LiveTrace.Result
    public var staleness: CameraStaleness?
  }
  public let name: String, trace: LiveTrace, shown: [Shown]
  public let placements: [ReplayedPlacement]

  public init<Failure: Error>(
    _ name: String, _ trace: LiveTrace, path: RecordedPath,
    targets: (_ recorded: Int) throws(Failure) -> [ReplayTarget]
  ) throws(Failure) {
    (self.name, self.trace) = (name, trace)
    shown = trace.results.map { result in
      guard let first = path.camera(at: result.captured), let last = path.camera(at: result.shown) else {
        return Shown(result: result, staleness: nil)
      }
      return Shown(result: result, staleness: CameraStaleness(from: first, to: last))
    }
    var placements: [ReplayedPlacement] = []
    var anchors: [String: ReplayTarget] = [:]
    for result in trace.results {
      // Detections and depth belong to the pose that they were recorded with, so that the delay counts from there.
      let recorded = path.nearestFrame(to: result.captured)
      guard let display = path.camera(at: path.times[recorded] + result.latency) else { continue }
      for target in try targets(recorded) {
        let anchor = target.identity.map { identity in
          let first = anchors[identity] ?? target
          anchors[identity] = first
          return first
        }
        placements.append(
          ReplayedPlacement(
            of: target, frame: result.frame, recorded: recorded, latency: result.latency, display: display,
            anchor: anchor))
      }
    }
    self.placements = placements
  }
}

/// What placing with the display's pose costs by how long the analysis takes.
public struct DelayCurve: Sendable {
  /// One stage time.
  public struct Point: Sendable, Hashable {
    /// Of all stages together, and the median latency that it gives: milliseconds.
    public var stage: Double, latency: Double
    /// Medians over targets, centimetres; errors are nil without true depth.
    public var worsening: Double
    public var frameError: Double?, displayError: Double?
  }

  public let points: [Point]
  public init(_ points: [Point]) { self.points = points }

  /// The first stage time at which placement is worse by so much, milliseconds; nil where it is not at any time tried.
  public func stage(worseBy centimetres: Double) -> Double? {
    points.first { $0.worsening >= centimetres }?.stage
  }
}

extension DelayCurve.Point {
  /// The median of all targets that the recording goes on long enough for; nil where there is none.
  /// - Parameter stage: Nanoseconds, as is the latency.
  public init?(
    stage: Int, latency: Int,
    _ scenes: [(path: RecordedPath, targets: [(recorded: Int, target: ReplayTarget)])]
  ) {
    let placements = scenes.flatMap { scene in
      scene.targets.compactMap { recorded, target -> ReplayedPlacement? in
        scene.path.camera(at: scene.path.times[recorded] + latency).map {
          ReplayedPlacement(
            of: target, frame: recorded, recorded: recorded, latency: latency, display: $0, anchor: nil)
        }
      }
    }
    guard let worsening = OrderStatistics.median(of: placements.map(\.worsening)) else { return nil }
    self.init(
      stage: Double(stage) / 1e6, latency: Double(latency) / 1e6, worsening: worsening,
      frameError: OrderStatistics.median(of: placements.compactMap { $0.errors[.frame] }),
      displayError: OrderStatistics.median(of: placements.compactMap { $0.errors[.display] }))
  }
}
