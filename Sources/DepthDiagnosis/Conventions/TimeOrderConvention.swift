import DepthCore
import DepthFusion

/// Whether the time stamps rise, without statistics.
public struct TimeOrderConvention: Convention {
  public let correctable = ["time-order"]

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let scene = sample.header
    let finding = SceneTest("time-order", "Time stamps", in: scene, declares: "rising")
    guard let times = scene.timestampsSeconds, times.count >= 2 else {
      return finding(
        .notTestable, nil,
        scene.timestampsSeconds == nil ? "the scene has no time stamps" : "one frame has no order")
    }
    let wrong = times.indices.dropFirst().filter { !(times[$0] > times[$0 - 1]) }
    guard let first = wrong.first
    else { return finding(.confirmed, "rising", "\(times.count) time stamps rise") }
    let isSortable = times.allSatisfy(\.isFinite) && Set(times).count == times.count
    return finding(
      .contradicted, isSortable ? "unsorted" : nil,
      "\(wrong.count) of \(times.count) time stamps are not after the one before, first at frame "
        + "\(first): \(times[first]) s after \(times[first - 1]) s. What it looks like: averages over time and "
        + "flicker compare frames that are not adjacent",
      fix: isSortable ? "sort the frames by time" : "store a time of its own for every frame",
      correction: isSortable ? .frameOrder : nil)
  }
}
