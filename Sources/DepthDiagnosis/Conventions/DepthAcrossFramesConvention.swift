import DepthCore
import Foundation

/// Whether all frames are in one unit: a recording that was put together of two, or an export that changed midway.
///
/// Depths of a frame are compared with those at the same pixels of the frame before. A camera that moves changes them here and
/// there; a unit changes all of them by one factor, and by one that people confuse.
public struct DepthAcrossFramesConvention: Convention {
  static let id = "depth-per-frame", truth = "truth-per-frame"
  private static let title = "One unit for all frames"
  /// Factors between units, and counts to the metre.
  private static let known: [(factor: Double, words: String)] = [
    (5, "5000 counts to the metre beside millimetres"), (1000, "metres beside millimetres"),
    (100, "metres beside centimetres"), (10, "centimetres beside millimetres"),
    (3.2808, "feet beside metres"),
    (39.37, "inches beside metres"), (2.54, "centimetres beside inches"), (25.4, "millimetres beside inches"),
    (3.90625, "256 counts to the metre beside millimetres"), (304.8, "millimetres beside feet"),
    (30.48, "centimetres beside feet"), (12, "inches beside feet"),
  ]
  /// ln of the least factor, of one that no motion makes, and how near to a known one it must be.
  private static let (least, huge, nearness) = (Foundation.log(2.2), Foundation.log(30.0), 0.08)
  /// Median deviation of a step's logarithms from their median: of a change of unit, of a frame that stands alone.
  private static let (spread, spreadAlone) = (0.2, 0.1)
  /// A change of unit must be so many times as large as what is left.
  private static let lead = 4.0
  /// Share of a truth's pixels that such a factor leaves as alike.
  private static let leastAlike = 0.8
  /// So many jumps to and fro are not motion.
  private static let fewestSwings = 3
  /// Cosine of the largest turn of a camera across a change.
  private static let leastCosine = 0.87

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let found = Self.lidar(sample)
    guard !found.contains(where: \.verdict.isWrong) else { return found }
    return found + Self.truth(sample, isLidarOne: found.contains { $0.verdict == .confirmed })
  }

  /// Whether the truths of some frames are in another unit than those of the others: listed only where they are. Each is compared with
  /// the LiDAR of its frame, so that no motion changes it.
  /// - Parameter isLidarOne: Whether the LiDAR's depths are known to be in one unit.
  private static func truth(_ sample: SceneSample, isLidarOne: Bool) -> [Finding] {
    let frames = sample.frames.filter { $0.truth != nil }
    guard sample.header.lidarSize != nil, frames.count >= 3 else { return [] }
    let found = concurrentMap(frames.count, threads: sample.threads) {
      number -> (index: Int, level: Double)? in
      guard let truth = frames[number].truth else { return nil }
      let grid = DepthGrid(frames[number], limit: 32, leastConfidence: 0)
      let differences = TruthConvention.logRatios(frames[number], grid, to: truth).filter(\.isFinite)
      guard differences.count >= 60, let level = OrderStatistics.median(of: differences),
        Double(differences.count { abs($0 - level) <= spread }) >= leastAlike * Double(differences.count)
      else { return nil }
      return (frames[number].index, -level)
    }.compactMap(\.self)
    let levels = found.map(\.level)
    guard levels.count >= 3 else { return [] }
    // The unit that most frames have; of two that are as frequent, the LiDAR's.
    let counts = levels.map { level in levels.count { abs($0 - level) < least / 2 } }
    let usual =
      levels.indices.filter { counts[$0] == counts.max() }.map { levels[$0] }.min { abs($0) < abs($1) } ?? 0
    let others = levels.indices.filter { abs(levels[$0] - usual) >= least }
    guard let size = OrderStatistics.median(of: others.map { levels[$0] - usual }) else { return [] }
    let left = levels.indices.map { abs(levels[$0] - usual - (others.contains($0) ? size : 0)) }.max() ?? 0
    guard abs(size) >= lead * left, let unit = unit(of: size, left: 0) else { return [] }
    let list = list(others.map { found[$0].index })
    let factor = Foundation.exp(abs(size)).rounded2
    let which = isLidarOne ? "" : ". Which of the two is wrong they cannot tell"
    return SceneTest(
      truth, "One unit for truth and LiDAR", in: sample.header, declares: "one",
      property: "units and scale of truth/depth and lidar/depth, the same for every frame")(
        .contradicted, "scale-\(Foundation.exp(size).rounded2)-at-\(found[others[0]].index)",
        "beside the LiDAR of their frames, truths of \(list) are \(factor) times \(size > 0 ? "larger" : "smaller") than those of the "
          + "others: \(unit)\(which). What it looks like: errors jump from frame to frame",
        fix: isLidarOne
          ? "multiply truth/depth of \(list) by \(Foundation.exp(-size).rounded3), if the others are right"
          : "see in which unit each file of \(list) was stored")
  }

  /// What units differ by such a factor, in words; nil where none do.
  private static func unit(of size: Double, left: Double) -> String? {
    known.first { abs(abs(size) - Foundation.log($0.factor)) < nearness + left / 2 }?.words
  }

  private static func lidar(_ sample: SceneSample) -> [Finding] {
    let finding = SceneTest(
      id, title, in: sample.header, declares: "one",
      property: "units and scale of lidar/depth, the same for every frame")
    guard sample.header.lidarSize != nil
    else { return finding(.notTestable, nil, "the scene has no LiDAR depth") }
    let frames = sample.frames
    guard frames.count >= 3 else { return finding(.notTestable, nil, "fewer than 3 frames have no steps") }
    /// - Parameter size: ln of the factor of some frames; `left` is what motion explains.
    func change(_ size: Double, of others: [Int], left: Double, isSure: Bool) -> [Finding] {
      let factor = Foundation.exp(abs(size)), list = list(others.map { frames[$0].index })
      let unit = unit(of: size, left: left)
      let words =
        "depths of \(list) are \(factor.rounded2) times \(size > 0 ? "larger" : "smaller") than those of the others, at all "
        + "pixels alike"
      guard isSure, abs(size) >= huge || unit != nil
      else { return finding(.undecidable, nil, words + "; that may be the camera's motion") }
      return finding(
        .contradicted, "scale-\(Foundation.exp(size).rounded2)-at-\(frames[others[0]].index)",
        words + (unit.map { ": \($0)" } ?? "")
          + ". What it looks like: errors jump from frame to frame",
        fix: "multiply the depths of \(list) by \(Foundation.exp(-size).rounded3), if the others are right")
    }
    let grids = concurrentMap(frames.count, threads: sample.threads) {
      DepthGrid(frames[$0], limit: 32, leastConfidence: 0).disparity.map { -Foundation.log($0) }
    }
    let steps = zip(grids.dropFirst(), grids).map { step($1, $0) }
    let jumps = steps.indices.map { isJump(steps[$0], frames[$0], frames[$0 + 1]) }
    let rest = steps.indices.filter { !jumps[$0] }.compactMap { steps[$0].map { abs($0.size) } }.max() ?? 0
    guard jumps.contains(true) else {
      return steps.contains { $0 == nil } || rest > least / 2
        ? finding(
          .undecidable, nil, "depths change a lot from frame to frame: a change of unit need not show")
        : finding(
          .confirmed, "one",
          "from frame to frame depths change by at most \(MotionConvention.percent(Foundation.exp(rest) - 1)) on the "
            + "median; units differ by more")
    }
    // A motion does not go to and fro by so much from frame to frame; what it adds to both jumps cancels.
    let swings = steps.indices.dropLast().compactMap { k -> Double? in
      guard jumps[k], jumps[k + 1], let a = steps[k]?.size, let b = steps[k + 1]?.size, a * b < 0
      else { return nil }
      return abs(a - b) / 2
    }
    if swings.count >= fewestSwings, let size = OrderStatistics.median(of: swings) {
      let far = steps.indices.filter { jumps[$0] && (steps[$0]?.size ?? 0) > 0 }.map { $0 + 1 }
      return change(size, of: far, left: swings.map { abs($0 - size) }.max() ?? 0, isSure: true)
    }
    var levels = [0.0]
    for k in steps.indices { levels.append(levels[k] + (jumps[k] ? steps[k]?.size ?? 0 : 0)) }
    // Frames of one unit: what is left between them is what a camera's motion does.
    let counts = levels.map { level in levels.count { abs($0 - level) < least / 2 } }
    let usual = levels[counts.firstIndex(of: counts.max() ?? 0) ?? 0]
    let others = levels.indices.filter { abs(levels[$0] - usual) >= least / 2 }
    guard let size = OrderStatistics.median(of: others.map { levels[$0] - usual })
    else { return finding(.undecidable, nil, "depths jump to and fro") }
    let left = max(rest, others.map { abs(levels[$0] - usual - size) }.max() ?? 0)
    return change(
      size, of: others, left: left,
      isSure: abs(size) >= lead * left && (others.count > 1 || frames.count > 4))
  }

  /// Median and spread of the logarithms' differences; nil where too few pixels have both.
  private static func step(_ a: [Double], _ b: [Double]) -> (size: Double, spread: Double)? {
    let differences = zip(a, b).map { $1 - $0 }.filter(\.isFinite)
    guard differences.count >= 60, let size = OrderStatistics.median(of: differences),
      let spread = OrderStatistics.median(of: differences.map { abs($0 - size) })
    else { return nil }
    return (size, spread)
  }

  private static func isJump(
    _ step: (size: Double, spread: Double)?, _ a: DepthFrame, _ b: DepthFrame
  ) -> Bool {
    guard let step, abs(step.size) >= least else { return false }
    if abs(step.size) >= huge { return step.spread <= 1 }
    if let from = a.worldFromCamera, let to = b.worldFromCamera, (from.zAxis * to.zAxis).sum() < leastCosine {
      return false
    }
    return step.spread <= spread
  }

  /// "frames 6 to 11", "frame 3", "frames 1, 3, 5".
  private static func list(_ frames: [Int]) -> String {
    guard let first = frames.first, let last = frames.last, frames.count > 1
    else { return "frame \(frames.first ?? 0)" }
    let isRun = zip(frames.dropFirst(), frames).allSatisfy { $0 - $1 == (last - first) / (frames.count - 1) }
    return isRun && frames.count > 2 && last - first == frames.count - 1
      ? "frames \(first) to \(last)"
      : "frames " + frames.prefix(6).map(String.init).joined(separator: ", ")
        + (frames.count > 6 ? ", …" : "")
  }
}
