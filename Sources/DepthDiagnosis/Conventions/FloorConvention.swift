import DepthCore
import Foundation

/// The axes of the poses by gravity, where motion does not tell them: floors, tables and seats face up.
///
/// The other axis convention turns the view about the camera's x axis, so that the floor becomes a ceiling. Cost: half
/// of 1 − (share of points on surfaces that face up) + (share that face down), by strips of the image from top to bottom of the
/// world. Ceilings alone
/// would be taken for floors, so this test speaks only where frames cannot be carried into each other.
public struct FloorConvention: CompetingConvention {
  public let correctable = ["pose-axes-by-floor"]
  private static let readings = [CameraConvention.arkit, .opencv]
  /// cos 15°: a surface whose normal is this near to vertical is level.
  private static let leastCosine = 0.966

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let axes = axes(for: sample)
    let motion = earlier.first { $0.test == "pose-convention" }
    if let objection = objection(to: sample) ?? earlier.reasonToWait(for: ["pose-layout"]) {
      return axes.map { Finding(notTestable: $0, in: sample.header, objection) }
    }
    // What makes frames agree in the declared axes says that these are right.
    let isMended = earlier.contains {
      [MotionConvention.id, PosePieces.id].contains($0.test) && $0.verdict == .contradicted
    }
    if isMended || motion?.supported != nil {
      return axes.map {
        Finding(notTestable: $0, in: sample.header, "frames carried into each other tell it")
      }
    }
    return findings(in: sample, seed: seed).map { finding in
      guard finding.verdict == .contradicted else { return finding }
      func isPossible(_ id: String?) -> Bool? {
        motion?.readings.first { $0.hypothesis.id == id }?.isConsistent
      }
      if isPossible(finding.supported) == false, isPossible(finding.declared) == true {
        return finding.undecided(
          "level surfaces face down as declared, but frames carried into each other speak against "
            + "'\(finding.supported ?? "")': the world's up axis may be another")
      }
      let held = Self.heldUpright(sample)
      var judged = finding
      judged.witnesses = [held]
      // A ceiling looks like a floor to the other axes, but few people hold a camera upside down.
      return held.agrees
        ? judged : finding.undecided("level surfaces speak against it, but \(held.statement)")
    }
  }

  /// Whether the declared axes would have the camera held upside down.
  private static func heldUpright(_ sample: SceneSample) -> Finding.Witness {
    let ups = sample.frames.compactMap(\.worldFromCamera).map { pose in
      let axis = sample.header.cameraConvention == .opencv ? -pose.yAxis : pose.yAxis
      return sample.header.upAxis == .y ? axis.y : axis.z
    }
    let mean = OrderStatistics.median(of: ups) ?? 0
    return Finding.Witness(
      name: "how the camera is held", margin: mean < -0.5 ? 3 : mean > 0.5 ? -3 : 0,
      statement: mean < -0.5
        ? "the camera would be held upside down" : "the camera is held \(mean > 0.5 ? "upright" : "askew")")
  }

  public func axes(for sample: SceneSample) -> [ConventionAxis] {
    let declared = sample.header.cameraConvention
    return [
      ConventionAxis(
        id: "pose-axes-by-floor", title: "Axes of the poses by the floor",
        hypotheses: Self.readings.map { convention in
          Hypothesis(
            convention.rawValue,
            "with camera axes of \(convention == .arkit ? "ARKit" : "OpenCV") level surfaces face up",
            symptom: "the floor hangs over the camera",
            fix: "set the attribute convention of camera/world_from_camera to '\(convention.rawValue)'",
            correction: .poses(convention: convention, isInverted: false))
        }, declared: declared == .unknown ? nil : declared.rawValue, leastExcess: 0.05,
        costUnit: "(1 − share facing up + share facing down)/2", fittingCost: 0.3,
        property: "convention of camera/world_from_camera")
    ]
  }

  public func objection(to sample: SceneSample) -> String? {
    if sample.header.lidarSize == nil { return "the scene has no LiDAR depth" }
    if !sample.header.hasPoses { return "the scene has no poses" }
    return sample.header.intrinsics == nil ? "the scene has no intrinsics" : nil
  }

  public func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    sample.costs(of: Self.readings.count) { frame in
      Self.facingUp(frame, sample.header.upAxis).map { $0.map { (1 - $0) / 2 } }
    }
  }

  /// Strips of a frame: every one holds both what is above and what is below.
  private static let strips = 6

  /// Share of points facing up minus share facing down, per strip of the image and reading.
  private static func facingUp(_ frame: DepthFrame, _ up: UpAxis) -> [[Double]] {
    guard let pose = frame.worldFromCamera, let (size, normals) = frame.smoothNormals() else { return [] }
    let isUpright = abs(up == .y ? pose.yAxis.y : pose.yAxis.z) >= abs(up == .y ? pose.xAxis.y : pose.xAxis.z)
    var sums = [[Double]](repeating: [0, 0], count: strips), counts = [Int](repeating: 0, count: strips)
    for (row, column, normal) in normals {
      let strip = isUpright ? strips * column / size.width : strips * row / size.height
      counts[strip] += 1
      let length = (normal * normal).sum().squareRoot()
      guard length > 0 else { continue }
      // OpenCV axes in the camera; ARKit's are the same turned about x.
      for (reading, turned) in [SIMD3(normal.x, -normal.y, -normal.z), normal].enumerated() {
        let world = pose.direction(turned / length), upward = up == .y ? world.y : world.z
        if abs(upward) >= leastCosine { sums[strip][reading] += upward > 0 ? 1 : -1 }
      }
    }
    return (0..<strips)
      .map { strip in sums[strip].map { counts[strip] >= 30 ? $0 / Double(counts[strip]) : .nan } }
  }
}
