public import DepthFusion

/// Every finding about one scene.
public struct SceneDiagnosis: Sendable, Codable {
  /// Most frames that are looked at, evenly over the scene.
  public static let frameLimit = 24

  public let scene: String
  /// Indices of the frames that were looked at.
  public let frames: [Int]
  public let findings: [Finding]

  /// - Parameters:
  ///   - name: The scene's name in the run.
  ///   - read: Reads a frame: LiDAR, confidence, relative map, camera.
  ///   - seed: Of the resamples behind confidences.
  /// - Throws: What `read` throws.
  public init<Failure: Error>(
    _ scene: SceneHeader, named name: String, seed: UInt64, read: (Int) throws(Failure) -> DepthFrame
  ) throws(Failure) {
    let count = min(scene.frameCount, Self.frameLimit)
    let indices = (0..<count).map { count == 1 ? 0 : $0 * (scene.frameCount - 1) / (count - 1) }
    var frames: [DepthFrame] = []
    for index in indices { frames.append(try read(index)) }
    self.scene = name
    self.frames = indices
    findings =
      Self.withoutConsequences(
        ConventionTests.all.map { Finding($0, frames, of: scene, named: name, seed: seed) })
      + [Finding(timesOf: scene, named: name)]
  }

  /// One fault makes several tests fail that carry frames into each other: the one that explains most stays, the
  /// others wait until it is mended. A wrong unit comes before all of them.
  private static func withoutConsequences(_ findings: [Finding]) -> [Finding] {
    let comparing = Set(ConventionTests.all.filter(\.comparesFrames).map(\.id))
    let wrong = findings.filter { comparing.contains($0.test) && $0.verdict == .contradicted }
    let unit = findings.first {
      $0.test == "depth-unit" && ($0.verdict == .contradicted || $0.verdict == .undecidable)
    }
    guard let cause = unit ?? wrong.min(by: { $0.leastCost < $1.leastCost }) else { return findings }
    return findings.map { finding in
      guard comparing.contains(finding.test), finding.test != cause.test, finding.verdict != .notTestable
      else { return finding }
      return finding.waiting(for: cause)
    }
  }
}

extension Finding {
  /// Whether the time stamps rise, without statistics.
  init(timesOf scene: SceneHeader, named name: String) {
    self.scene = name
    (test, title, costUnit, readings) = ("time-order", "Time stamps", "", [])
    declared = "rising"
    guard let times = scene.timestampsSeconds, times.count >= 2 else {
      verdict = .notTestable
      declared = nil
      summary = scene.timestampsSeconds == nil ? "the scene has no time stamps" : "one frame has no order"
      return
    }
    let wrong = times.indices.dropFirst().filter { !(times[$0] > times[$0 - 1]) }
    guard let first = wrong.first else {
      (verdict, supported) = (.confirmed, "rising")
      summary = "\(times.count) time stamps rise"
      return
    }
    verdict = .contradicted
    summary =
      "\(wrong.count) of \(times.count) time stamps are not after the one before, first at frame \(first): "
      + "\(times[first]) s after \(times[first - 1]) s"
    fix = "sort the frames by time"
  }
}
