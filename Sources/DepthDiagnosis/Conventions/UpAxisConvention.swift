import DepthCore
import Foundation

/// Which axis of the world is up, by two witnesses that must agree: floors and tables are level and walls upright, so
/// that few surfaces lean with respect to the true axis; and somebody who carries a camera keeps one side of the image
/// level while turning.
///
/// Cost: the share of smooth surface that leans by 15° to 75°, by parts of the image.
public struct UpAxisConvention: CompetingConvention {
  public let correctable = ["up-axis"]
  private static let readings = [UpAxis.y, .z]
  /// sin and cos of 15°.
  private static let leaning = 0.26...0.966
  /// A side of the image is level below the first, and leans above the second (medians of the sine).
  private static let (level, tilted) = (0.2, 0.3)

  public func axes(for sample: SceneSample) -> [ConventionAxis] {
    [
      ConventionAxis(
        id: "up-axis", title: "Up axis of the world",
        hypotheses: Self.readings.map { up in
          Hypothesis(
            up.rawValue, "\(up.rawValue) is up in the world",
            symptom: "boxes lie on their side, floors stand upright",
            fix: "set the attribute up of camera/world_from_camera to '\(up.rawValue)'",
            correction: .attribute(object: "camera/world_from_camera", name: "up", value: up.rawValue))
        }, declared: sample.header.upAxis.rawValue, leastExcess: 0.05,
        costUnit: "share of smooth surface that leans", fittingCost: 0.4,
        property: "up of camera/world_from_camera")
    ]
  }

  public func objection(to sample: SceneSample) -> String? {
    if sample.header.lidarSize == nil { return "the scene has no LiDAR depth" }
    if !sample.header.hasPoses { return "the scene has no poses" }
    if sample.header.cameraConvention == .unknown { return "the axes of the poses are not declared" }
    return sample.header.intrinsics == nil ? "the scene has no intrinsics" : nil
  }

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let waits: Set = [
      "pose-layout", "depth-unit", "aspect-ratio", "frame-agreement", "repeated-frames", "pose-convention",
    ]
    if let reason = earlier.reasonToWait(for: waits) {
      return axes(for: sample).map { Finding(notTestable: $0, in: sample.header, reason) }
    }
    return findings(in: sample, seed: seed).map { finding in
      guard finding.verdict == .contradicted || finding.verdict == .confirmed,
        let supported = finding.supported.flatMap(UpAxis.init(rawValue:))
      else { return finding }
      let other: UpAxis = supported == .y ? .z : .y
      let (ours, theirs) = (Self.roll(sample, supported), Self.roll(sample, other))
      let words =
        "the image's sides lean by a sine of \(ours.rounded2) with \(supported.rawValue) up, "
        + "\(theirs.rounded2) with \(other.rawValue)"
      let margin = ours <= Self.level && theirs >= Self.tilted ? 3.0 : theirs < ours ? -3 : 0
      var judged = finding
      judged.witnesses = [Finding.Witness(name: "how the camera is held", margin: margin, statement: words)]
      let isOpposed = finding.verdict == .confirmed && margin <= Finding.Witness.objection
      guard isOpposed || finding.verdict == .contradicted && margin < Finding.Witness.agreement
      else { return judged }
      return judged.undecided("level surfaces speak for \(supported.rawValue), but \(words)")
    }
  }

  /// Median over frames of how much the more level side of the image leans.
  private static func roll(_ sample: SceneSample, _ up: UpAxis) -> Double {
    let leans = sample.frames.compactMap(\.worldFromCamera).map { pose in
      min(abs(up == .y ? pose.xAxis.y : pose.xAxis.z), abs(up == .y ? pose.yAxis.y : pose.yAxis.z))
    }
    return OrderStatistics.median(of: leans) ?? 1
  }

  public func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    sample.costs(of: Self.readings.count) { Self.leaningShares($0, sample.header.cameraConvention) }
  }

  /// Per part of the image the share of smooth points whose normals lean with y and with z up.
  private static func leaningShares(_ frame: DepthFrame, _ convention: CameraConvention) -> [[Double]] {
    guard let pose = frame.worldFromCamera, let (size, normals) = frame.smoothNormals() else { return [] }
    var sums = [[Double]](repeating: [0, 0], count: 9), counts = [Int](repeating: 0, count: 9)
    for (row, column, normal) in normals {
      let length = (normal * normal).sum().squareRoot()
      guard length > 0 else { continue }
      let world = pose.direction(
        (convention == .arkit ? SIMD3(normal.x, -normal.y, -normal.z) : normal) / length)
      let part = 3 * (3 * row / size.height) + 3 * column / size.width
      counts[part] += 1
      for (h, upward) in [world.y, world.z].enumerated() where leaning.contains(abs(upward)) {
        sums[part][h] += 1
      }
    }
    return (0..<9).map { part in sums[part].map { counts[part] >= 30 ? $0 / Double(counts[part]) : .nan } }
  }
}
