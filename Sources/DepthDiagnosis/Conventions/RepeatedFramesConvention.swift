import DepthCore

/// Whether the LiDAR goes on: one map that is stored again and again, while the camera moves or the picture changes, was
/// frozen.
public struct RepeatedFramesConvention: Convention {
  /// Share of frames that are like the one before, and how many in a row; recorders repeat single frames.
  private static let (mostRepeated, longestRun) = (0.6, 2)
  /// Frames that a LiDAR which is slower than the frames may repeat.
  private static let longestSlowRun = 15
  /// Share of frames from which on repeats are no longer single ones.
  private static let fewRepeated = 0.1
  /// Metres and cosine of a motion that changes every map.
  private static let (leastStep, leastCosine) = (0.01, 0.99996)

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let scene = sample.header
    let finding = SceneTest(
      "repeated-frames", "Frames of the LiDAR", in: scene, declares: "new-each-time",
      property: "lidar/depth, a map of its own for each frame")
    guard scene.lidarSize != nil else { return finding(.notTestable, nil, "the scene has no LiDAR depth") }
    guard sample.frames.count > 2 else { return finding(.notTestable, nil, "few frames repeat nothing") }
    let pairs = zip(sample.frames.dropFirst(), sample.frames)
    let repeats = pairs.map { Self.isSame($0.lidar, $1.lidar) }
    let count = repeats.count { $0 }
    let longest = repeats.reduce(into: (run: 0, best: 0)) { state, isRepeat in
      state.run = isRepeat ? state.run + 1 : 0
      state.best = max(state.best, state.run)
    }.best
    let frozen = Self.frozenRun(sample, repeats)
    let words = "\(count) of \(repeats.count) maps that were looked at equal the one before, number by number"
    guard Double(count) >= Self.mostRepeated * Double(repeats.count), longest >= Self.longestRun else {
      if let frozen {
        return finding(
          .contradicted, "frozen",
          "the LiDAR is frozen from frame \(frozen.lowerBound) to \(frozen.upperBound): \(words), while the camera moves",
          fix: "record again, or leave these frames out")
      }
      guard Double(count) > Self.fewRepeated * Double(repeats.count) else {
        return finding(.confirmed, "new-each-time", count == 0 ? "no map equals the one before" : words)
      }
      return finding(
        .undecidable, nil, words + ": the LiDAR stood still for a while, or is slower than the frames")
    }
    let changes = zip(pairs, repeats).contains { pair, isRepeat in isRepeat && Self.moves(pair.0, pair.1) }
    guard changes
    else { return finding(.undecidable, nil, words + "; nothing else in the frames changes either") }
    return finding(
      .contradicted, "frozen",
      "the LiDAR is frozen: \(words), while the camera moves. What it looks like: frames do not meet, whatever is "
        + "done to poses and K",
      fix: "record again, or leave the repeated frames out")
  }

  /// The longest run of equal maps while the camera moves, as frames of the recording; nil where a LiDAR that is slower than
  /// the frames would do the same.
  private static func frozenRun(_ sample: SceneSample, _ repeats: [Bool]) -> ClosedRange<Int>? {
    var (longest, start): (ClosedRange<Int>?, Int?) = (nil, nil)
    for position in repeats.indices {
      let (before, after) = (sample.frames[position], sample.frames[position + 1])
      guard repeats[position], moves(after, before) else {
        start = nil
        continue
      }
      let first = start ?? before.index
      start = first
      if after.index - first > (longest?.count ?? 0) - 1 { longest = first...max(first, after.index) }
    }
    return longest.flatMap { $0.count > longestSlowRun ? $0 : nil }
  }

  private static func isSame(_ a: DepthMap, _ b: DepthMap) -> Bool {
    a.size == b.size && zip(a.values, b.values).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
      && a.values.contains { $0 > 0 && $0.isFinite }
  }

  /// Whether anything else says that time went on.
  private static func moves(_ a: DepthFrame, _ b: DepthFrame) -> Bool {
    if let from = a.worldFromCamera, let to = b.worldFromCamera {
      let step = from.translation - to.translation
      if (step * step).sum() > leastStep * leastStep || (from.zAxis * to.zAxis).sum() < leastCosine {
        return true
      }
    }
    if let before = a.image, let after = b.image, before.values != after.values { return true }
    if let before = a.relative, let after = b.relative, !isSame(before, after) { return true }
    return false
  }
}
