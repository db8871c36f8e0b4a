import DepthCore
import Foundation

/// Whether time stamps are seconds: by the time between frames, by their size, and by how fast the camera would move.
public struct TimeUnitConvention: Convention {
  public let correctable = ["time-unit"]

  private static let units: [(id: String, seconds: Double)] = [
    ("milliseconds", 1e-3), ("microseconds", 1e-6), ("nanoseconds", 1e-9),
  ]
  /// Seconds between frames of a recording; longer ones are rare, those beyond the second limit no recording's.
  private static let (usual, longest) = (0.002...5.0, 600.0)
  /// Seconds since 1970 stay below it for three thousand years.
  private static let largestStamp = 1e11
  /// Metres and radians per second of a camera that somebody carries.
  private static let (slowest, carried) = (0.005, 0.02...5.0)

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let scene = sample.header
    let finding = SceneTest(
      "time-unit", "Unit of the time stamps", in: scene, declares: "seconds", property: "seconds in time")
    guard let times = scene.timestampsSeconds, times.count > 1 else {
      return finding(
        .notTestable, nil,
        scene.timestampsSeconds == nil ? "the scene has no time stamps" : "one frame has no rate")
    }
    let steps = zip(times.dropFirst(), times).map { abs($0 - $1) }.filter { $0 > 0 && $0.isFinite }
    guard let step = OrderStatistics.median(of: steps)
    else { return finding(.notTestable, nil, "time stands still") }
    if let gap = times.indices.dropFirst().max(by: { times[$0] - times[$0 - 1] < times[$1] - times[$1 - 1] }),
      step <= Self.usual.upperBound, times[gap] - times[gap - 1] > Self.longest
    {
      return finding(
        .undecidable, nil,
        "a frame every \(step.rounded3) s, but \((times[gap] - times[gap - 1]).rounded1) s before frame \(gap): two recordings, "
          + "stamps of two clocks, or a long pause")
    }
    let isLate = (times.map(abs).max() ?? 0) > Self.largestStamp
    guard step > Self.usual.upperBound || isLate else {
      // Milliseconds of a fast camera.
      guard step * 1e-3 >= Self.usual.lowerBound
      else { return finding(.confirmed, "seconds", "a frame every \(step.rounded3) s") }
      let speeds = Self.speeds(sample, times).map { max($0.metres, $0.radians) }
      let words =
        "a frame every \(step.rounded3) s; in milliseconds, \((1e3 / step).rounded1) frames per second"
      guard let speeds, Self.carried.contains(speeds), !Self.carried.contains(speeds * 1e3) else {
        return finding(
          .undecidable, nil,
          words + (speeds == nil ? "; there are no poses that would tell" : "; poses do not tell"))
      }
      return finding(.confirmed, "seconds", words + ", and the camera would be too fast")
    }
    guard let unit = Self.units.first(where: { Self.usual.contains(step * $0.seconds) })
    else { return finding(.undecidable, nil, "a frame every \(step.rounded1) s is unusual in any unit") }
    let speeds = Self.speeds(sample, times)
    let moves = speeds.map { max($0.metres, $0.radians) }
    let agrees = moves.map { $0 < Self.slowest && Self.carried.contains($0 / unit.seconds) } ?? false
    let words =
      "a frame every \(step.rounded1) s, or, in \(unit.id), every \((step * unit.seconds).rounded3) s"
    guard isLate || step > Self.longest || agrees else {
      return finding(
        .undecidable, nil,
        words + (moves == nil ? "; there are no poses that would tell" : "; poses do not tell"))
    }
    return finding(
      .contradicted, unit.id,
      "the time stamps are \(unit.id): \(words)"
        + (speeds.map { ", and the camera would move by \(($0.metres * 1000).rounded3) mm/s" } ?? "")
        + ". What it looks like: averages over time, flicker and rates say nothing",
      fix: "store seconds in time: multiply by \(unit.seconds)", correction: .timeUnit(factor: unit.seconds))
  }

  /// How fast the camera moves and turns, medians, per unit of the stamps.
  private static func speeds(_ sample: SceneSample, _ times: [Double]) -> (metres: Double, radians: Double)? {
    let known = sample.poses.keys.sorted().filter { times.indices.contains($0) }
    var (metres, radians): ([Double], [Double]) = ([], [])
    for (a, b) in zip(known, known.dropFirst()) {
      guard let from = sample.poses[a], let to = sample.poses[b] else { continue }
      let elapsed = abs(times[b] - times[a])
      guard elapsed > 0 else { continue }
      let step = to.translation - from.translation
      metres.append((step * step).sum().squareRoot() / elapsed)
      radians.append(Foundation.acos(min(1, max(-1, (from.zAxis * to.zAxis).sum()))) / elapsed)
    }
    guard let a = OrderStatistics.median(of: metres), let b = OrderStatistics.median(of: radians)
    else { return nil }
    return (a, b)
  }
}
