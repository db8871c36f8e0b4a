import DepthCore
import Foundation

/// One thing that carries frames into each other and has no word in the schema, with the wrong readings that are nearest
/// to what is declared: only where the data reject each of these can they confirm it. What is wrong by much is named by
/// ``MotionConvention``.
struct MotionCheck {
  let id: String, title: String, property: String
  /// What is declared, by a stable name and in words.
  let declared: String, statement: String
  let nearest: [MotionReading]
  /// What stays unseen where it cannot be confirmed.
  let fault: String
  /// Why it cannot be judged where the nearest readings have no poses.
  let missing: String

  static let all: [MotionCheck] = [
    MotionCheck(
      id: "pose-delay", title: "Frames of the poses",
      property: "one pose in camera/world_from_camera per frame",
      declared: "own", statement: "every frame has its own pose", nearest: [.lag(-1), .lag(1)],
      fault: "a delay of one frame",
      missing: "frames before and after those that were looked at have no poses"),
    MotionCheck(
      id: "pose-rotation", title: "Rotations of the poses", property: "rotations in camera/world_from_camera",
      declared: "as-stored", statement: "rotations are as stored",
      nearest: MotionReading.RotationOrder.allCases.map { .rotation($0) }
        + [false, true].map { .leftHanded(isTurned: $0) },
      fault: "another order of quaternions", missing: "too few poses"),
    MotionCheck(
      id: "pose-scale", title: "Scale of poses and depth", property: "metres in both",
      declared: "equal", statement: "poses and depth are of one scale",
      nearest: [.scale(Foundation.exp(-0.1875)), .scale(Foundation.exp(0.1875))], fault: "a fifth in scale",
      missing: "too few poses"),
    MotionCheck(
      id: "focal-length", title: "Focal length", property: "fx and fy of camera/intrinsics",
      declared: "as-stored", statement: "the focal length is right to 10 %",
      nearest: [.focal(0.9), .focal(1.1)], fault: "10 % of the focal length", missing: "too few poses"),
    MotionCheck(
      id: "principal-point", title: "Principal point", property: "cx and cy of camera/intrinsics",
      declared: "as-stored",
      statement: "the axis is right to \((100 * MotionReading.axisStep).rounded1) % of the image",
      nearest: [(1.0, 0.0), (-1, 0), (0, 1), (0, -1)].map {
        .axis(x: $0.0 * MotionReading.axisStep, y: $0.1 * MotionReading.axisStep)
      }, fault: "a shifted axis", missing: "too few poses"),
    MotionCheck(
      id: "focal-ratio", title: "fx against fy", property: "fx and fy of camera/intrinsics",
      declared: "as-stored", statement: "fx and fy are right to 15 % of each other",
      nearest: [0.85, 1.15].flatMap { [.stretched(x: $0, y: 1), .stretched(x: 1, y: $0)] },
      fault: "fx against fy", missing: "too few poses"),
    MotionCheck(
      id: "depth-offset", title: "Zero of the depth", property: "metres in lidar/depth",
      declared: "none", statement: "nothing is added to depths, to 10 cm",
      nearest: [.offset(-0.1), .offset(0.1)], fault: "10 cm added to depth", missing: "too few poses"),
    MotionCheck(
      id: "pose-drift", title: "Drift of the poses",
      property: "one world for all of camera/world_from_camera",
      declared: "none", statement: "the poses do not drift by 5 % of their path",
      nearest: [.drift(-0.05), .drift(0.05)], fault: "drift", missing: "too few poses"),
  ]

  func notTestable(in scene: SceneHeader, _ reason: String) -> Finding {
    Finding(id, title, in: scene, verdict: .notTestable, summary: reason, property: property)
  }

  /// What the frames say of it.
  /// - Parameter base: The reading of the named conventions by which frames are carried into each other.
  /// - Parameter agreement: How well they agree in it.
  func finding(_ test: MotionConvention, base: GeometryReading, _ agreement: WarpAgreement) -> Finding {
    func finding(_ isConfirmed: Bool, _ summary: String, margin: Double? = nil) -> Finding {
      var finding = Finding(
        id, title, in: test.sample.header, verdict: isConfirmed ? .confirmed : .undecidable,
        declared: declared, supported: isConfirmed ? declared : nil, summary: summary, property: property)
      (finding.margin, finding.costUnit) = (margin, WarpAgreement.costUnit)
      return finding
    }
    guard test.chosen.count >= MotionConvention.fewestFrames else {
      return finding(
        false, "fewer than \(MotionConvention.fewestFrames) frames: other motions would fit, too")
    }
    guard agreement.fits else {
      return finding(
        false,
        "\(MotionConvention.percent(agreement.agreeing)) of the points that meet agree: too few to confirm it"
      )
    }
    var rivals: [(reading: MotionReading, agreement: WarpAgreement, margin: Double)] = []
    let nearest = nearest + (id == "focal-ratio" ? test.usual[0] : [])
    for (reading, other) in zip(nearest, test.agreements(nearest, base: base)) {
      guard let other else { return finding(false, missing) }
      rivals.append((reading, other, test.margin(of: agreement, over: other)))
    }
    guard let rival = rivals.min(by: { $0.margin < $1.margin }) else { return finding(false, missing) }
    let numbers =
      "frames differ by \(MotionConvention.percent(rival.agreement.residual)) if \(rival.reading.named.statement), "
      + "\(MotionConvention.percent(agreement.residual)) as declared"
    if rival.margin >= Evidence.rejection {
      return finding(true, "\(statement): \(numbers)", margin: rival.margin)
    }
    return finding(
      false,
      rival.margin <= -Evidence.rejection
        ? "what is declared fits less well, but not so much that it is wrong: \(numbers)"
        : "these frames cannot tell: \(numbers)", margin: rival.margin)
  }
}
